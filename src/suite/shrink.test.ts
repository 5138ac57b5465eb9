import { describe, expect, it } from 'vitest';
import type { Program, Step } from '../history/program.ts';
import { shrink, simplerSteps } from './shrink.ts';

const program = (clients: readonly (readonly Step[])[], tasks: Record<string, string> = {}): Program => ({
  version: 1,
  scenario: 'test',
  tasks,
  clients,
});
const steps = ({ clients }: Program): Step[] => clients.flat();
const has = (candidate: Program, ...wanted: Step[]) =>
  wanted.every((one) => steps(candidate).some((step) => JSON.stringify(step) === JSON.stringify(one)));

const noise: Step[] = Array.from({ length: 20 }, (_, at) => ({ op: 'get', task: `n${at}` }));
const first: Step = { op: 'create', task: 'A' };
const second: Step = { op: 'delete', task: 'A' };

describe('shrinking', () => {
  it('keeps what the finding needs and drops the rest', async () => {
    const large = program([[...noise, first, ...noise, second, ...noise]]);
    const small = await shrink(large, async (one) => has(one, first, second), 1_000);
    expect(steps(small)).toEqual([first, second]);
  });

  it('drops two steps that need each other together', async () => {
    const pair: Step[] = [
      { op: 'allow', caller: 'x', task: 'A' },
      { op: 'deny', caller: 'x', task: 'A' },
    ];
    const still = async (one: Program) =>
      has(one, first) && (has(one, ...pair) || !pair.some((step) => has(one, step)));
    expect(steps(await shrink(program([[first, ...pair]]), still, 1_000))).toEqual([first]);
  });

  it('drops clients that nothing needs', async () => {
    const small = await shrink(program([noise, [first], noise]), async (one) => has(one, first), 1_000);
    expect(small.clients).toEqual([[first]]);
  });

  it('drops steps of the setup', async () => {
    const large = { ...program([[second]]), setup: [...noise, first] };
    const still = async (one: Program) => has(one, second) && has({ ...one, clients: [one.setup ?? []] }, first);
    expect((await shrink(large, still, 1_000)).setup).toEqual([first]);
  });

  it('makes what is left plainer', async () => {
    const rich: Step = {
      op: 'walk',
      walk: 'w',
      pageSize: 7,
      filter: { context: 'd', state: 'WORKING' },
      total: false,
      historyLength: 2,
    };
    const still = async (one: Program) =>
      steps(one).some((step) => 'filter' in step && step.filter?.context === 'd' && (step.pageSize ?? 50) >= 2);
    expect(steps(await shrink(program([[rich]]), still, 1_000))).toEqual([
      { op: 'first', walk: 'w', pageSize: 2, filter: { context: 'd' } },
    ]);
  });

  it('gives awkward ids plain ones, unless they matter', async () => {
    const touch: Step[] = [
      { op: 'create', task: 'A' },
      { op: 'create', task: 'B' },
      { op: 'create', task: 'C' },
    ];
    const large = program([touch], { A: 'a|1', B: 'a|2', C: '\u{1f600}', D: 'unused' });
    const still = async (one: Program) => steps(one).length === 3 && one.tasks.B === 'a|2';
    expect((await shrink(large, still, 1_000)).tasks).toEqual({ A: 'a', B: 'a|2', C: 'c' });
  });

  it('keeps to its budget, and never gives what does not fail', async () => {
    let executions = 0;
    const still = async (one: Program) => {
      executions++;
      return has(one, first, second);
    };
    const small = await shrink(program([[...noise, first, ...noise, second]]), still, 7);
    expect(executions).toBe(7);
    expect(has(small, first, second)).toBe(true);
  });

  it('gives the program back where nothing smaller fails', async () => {
    const whole = program([[first, second]], { A: 'a' });
    expect(await shrink(whole, async () => false, 1_000)).toEqual(whole);
  });

  it('takes the candidate that the finding was seen on, where that is another', async () => {
    const scheduled = (one: Program) => ({ ...one, schedule: [0] });
    const small = await shrink(program([[...noise, first]]), async (one) => has(one, first) && scheduled(one), 1_000);
    expect(steps(small)).toEqual([first]);
  });
});

describe('simpler steps', () => {
  it('come to an end', () => {
    let left: Step[] = [
      { op: 'walk', walk: 'w', pageSize: 100, filter: { context: 'd', state: 'FAILED', after: 'x' }, total: true },
      { op: 'create', task: 'A', content: { state: 'FAILED', history: ['m'], note: 'n' } },
      { op: 'fill', task: 'A', count: 9, context: 'd' },
    ];
    let rounds = 0;
    for (; left.length > 0 && rounds < 40; rounds++) {
      const next = new Map(left.flatMap(simplerSteps).map((step) => [JSON.stringify(step), step]));
      left = [...next.values()];
    }
    expect(left).toEqual([]);
  });
});
