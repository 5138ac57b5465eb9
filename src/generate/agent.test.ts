import { describe, expect, it } from 'vitest';
import type { Step } from '../history/program.ts';
import { type Capabilities, externalDefaults } from '../subject/subject.ts';
import { forAgent } from './agent.ts';
import { programSource } from './index.ts';
import { sequential } from './scenario.ts';

const capabilities: Capabilities = { ...externalDefaults, scope: ['X', 'W'], create: 'reject', agent: true };
const rewritten = (steps: readonly Step[]) => forAgent(sequential('test', { A: '__proto__', B: 'b|1' }, steps));

describe('a program for an agent', () => {
  it('says nothing of what the agent decides', () => {
    const steps: Step[] = [
      { op: 'create', task: 'A', content: { context: 'd', timestamp: '2001-01-01T00:00:00Z' } },
      { op: 'replace', task: 'A', content: { state: 'SUBMITTED' }, revision: 'stale' },
      { op: 'append', task: 'A', message: 'm1' },
      { op: 'create', task: 'A' },
      { op: 'delete', task: 'A' },
      { op: 'fill', task: 'B', count: 3, context: 'd' },
    ];
    expect(rewritten(steps)).toMatchObject({
      tasks: { A: 'task-a', B: 'task-b' },
      clients: [
        [
          { op: 'create', task: 'A' },
          { op: 'append', task: 'A', message: 'm1' },
          { op: 'append', task: 'A', message: 'm2' },
          { op: 'cancel', task: 'A' },
          { op: 'fill', task: 'B', count: 3 },
        ],
      ],
    });
  });

  it('cancels at once what was to be created ended', () => {
    expect(rewritten([{ op: 'create', task: 'A', content: { state: 'FAILED' } }]).clients[0]).toEqual([
      { op: 'create', task: 'A' },
      { op: 'cancel', task: 'A' },
    ]);
  });

  it('filters by states and times that its tasks have', () => {
    const filter = { state: 'WORKING', after: '2001-01-01T00:00:00.000Z' } as const;
    const [step] = rewritten([{ op: 'first', walk: 'w', filter }]).clients[0]!;
    expect(step).toMatchObject({ filter: { state: 'INPUT_REQUIRED', after: expect.stringMatching(/^=[ABC]$/) } });
  });

  it('is what a seed gives for such a subject', () => {
    const source = programSource(capabilities, 1);
    const steps = Array.from({ length: 200 }, (_, index) => source(index).clients.flat()).flat();
    const kinds = new Set(steps.map(({ op }) => op));
    for (const never of ['replace', 'delete', 'clock', 'allow', 'raw', 'push'] as const) kinds.delete(never);
    expect([...kinds]).toEqual(expect.arrayContaining(['create', 'append', 'cancel', 'get', 'walk', 'peek', 'tick']));
    expect(steps.filter(({ op }) => op === 'replace' || op === 'delete')).toEqual([]);
    const edges = steps.flatMap((step) => ('filter' in step && step.filter?.after?.startsWith('=') ? [step] : []));
    expect(edges.length).toBeGreaterThan(20);
  });
});
