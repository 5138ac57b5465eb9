/** Proves a run: faults are put around the subject's own store, and the very programs of the run have to notice. */
import type { CheckContext } from '../check/check.ts';
import { judgeableRules } from '../check/index.ts';
import { costPrograms } from '../generate/cost.ts';
import { programSource } from '../generate/index.ts';
import type { Program } from '../history/program.ts';
import { faultWrappers } from '../mutants/wrappers/index.ts';
import { type FaultWrapper, wrapSubject } from '../mutants/wrappers/wrapper.ts';
import { SubjectFault } from '../run/subject-fault.ts';
import type { Subject } from '../subject/subject.ts';
import type { Methods } from './applicable.ts';
import type { Proof, RuleResult } from './certificate.ts';
import { judgeProgram } from './judge.ts';

/** The budget of the run that is to be proved. */
export interface ProveBudget {
  readonly seed: number;
  readonly runs: number;
  readonly shard: { readonly index: number; readonly of: number };
  readonly operationTimeoutMs: number;
  /** The longest that proving may take, in milliseconds, all faults together. */
  readonly proveBudgetMs: number;
  readonly signal?: AbortSignal;
  readonly onFault?: (done: number, of: number) => void;
}

/** Of a vacuous rule too little was seen to pass; whether that little would have shown a fault is worth telling. */
const holding: ReadonlySet<RuleResult['status']> = new Set(['pass', 'vacuous']);

/** The faults that this run should notice: nothing violates their rule so far, and the subject has what they need. */
export function applicableFaults(
  { capabilities }: Subject,
  methods: Methods,
  rules: readonly RuleResult[],
): FaultWrapper[] {
  // A rule that waits for several clients is judged of one client as well, where some check can.
  const holds = new Set(
    rules
      .filter(({ rule, status }) => holding.has(status) || (status === 'not-run' && judgeableRules.has(rule)))
      .map(({ rule }) => rule),
  );
  return faultWrappers.filter(
    (wrapper) =>
      holds.has(wrapper.rule) &&
      (wrapper.standsOn === undefined || holds.has(wrapper.standsOn)) &&
      (wrapper.methods ?? []).every((name) => methods.has(name)) &&
      (wrapper.needs?.(capabilities) ?? true),
  );
}

/**
 * Tries the faults one after the other, on a subject that was started. Each has its share of the time that is left, and
 * what the quick ones leave over goes to those whose share was too short.
 */
export async function prove(
  subject: Subject,
  faults: readonly FaultWrapper[],
  context: CheckContext,
  budget: ProveBudget,
): Promise<Proof[]> {
  const until = performance.now() + budget.proveBudgetMs;
  const proof = new Map<string, Proof>();
  const reached = new Map<string, number>();
  for (let open = faults; open.length > 0; ) {
    const short: FaultWrapper[] = [];
    for (const [position, fault] of open.entries()) {
      budget.onFault?.(faults.length - open.length + position, faults.length);
      const share = (until - performance.now()) / (open.length - position);
      const from = reached.get(fault.id) ?? budget.shard.index;
      const tried = await tryFault(subject, fault, context, budget, { from, until: performance.now() + share });
      proof.set(fault.id, tried.proof);
      if (tried.reached === undefined) continue;
      reached.set(fault.id, tried.reached);
      short.push(fault);
    }
    const isOver = performance.now() >= until || budget.signal?.aborted === true;
    open = isOver || short.length === open.length ? [] : short;
  }
  return faults.flatMap(({ id }) => proof.get(id) ?? []);
}

/** What came of a fault; `reached` is the program at which its time ended, where it did. */
interface Tried {
  readonly proof: Proof;
  readonly reached?: number;
}

async function tryFault(
  subject: Subject,
  wrapper: FaultWrapper,
  context: CheckContext,
  { seed, runs, shard, operationTimeoutMs, signal }: ProveBudget,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<Tried> {
  const { id, fault, rule } = wrapper;
  const faulty = wrapSubject(subject, wrapper);
  const source = programSource(subject.capabilities, seed);
  const notices = async (program: Program): Promise<boolean> => {
    const { judged } = await judgeProgram(faulty, program, context, { operationTimeoutMs });
    return judged.some((one) => one.rule === rule && one.findings.length > 0);
  };
  const entry = { wrapper: id, fault, rule };
  try {
    if (rule.startsWith('COST-') && from === shard.index)
      for (const program of costPrograms) if (await notices(program)) return { proof: { ...entry, outcome: 'killed' } };
    for (let run = from; run < runs; run += shard.of) {
      if (signal?.aborted === true || performance.now() > until) {
        const reason = `the time for it ended after ${run} of ${runs} programs`;
        return { proof: { ...entry, outcome: 'survived', reason }, reached: run };
      }
      if (await notices(source(run))) return { proof: { ...entry, outcome: 'killed', run } };
    }
  } catch (error) {
    if (!(error instanceof SubjectFault)) throw error;
    return { proof: { ...entry, outcome: 'survived', reason: error.message } };
  }
  return { proof: { ...entry, outcome: 'survived', reason: `no program of this run noticed it` } };
}
