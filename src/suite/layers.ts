/** Which layer of a stack a violation comes from: the same program at every boundary beneath the one that showed it. */
import { type ProfileName, profileRules } from '../../spec/profiles.ts';
import { isConcurrent, type Program, type Step } from '../history/program.ts';
import { startSubject, stopSubject } from '../run/subject-life.ts';
import type { Layer, Subject, SubjectStore } from '../subject/subject.ts';
import type { LayerVerdict } from './certificate.ts';
import { contextOf } from './certify.ts';
import { judgeProgram } from './judge.ts';

/** How a program is run at a layer. */
export interface LayerOptions {
  readonly profile: ProfileName;
  readonly operationTimeoutMs: number;
}

/** How often a program whose clients run at once is run at a layer before nothing counts as broken there. */
const ATTEMPTS = 5;

/**
 * Runs a program that violates a rule at each layer beneath its subject, lowest first, and says which rules it breaks
 * there. A layer is asked every must-rule of its own, not only the one that was violated above it: a fault may go by
 * another name there. Steps that a layer has no means for are left out. Undefined where the subject stands on nothing.
 */
export async function judgeLayers(
  subject: Subject,
  program: Program,
  options: LayerOptions,
): Promise<readonly LayerVerdict[] | undefined> {
  const layers = subject.layers?.();
  if (layers === undefined) return undefined;
  const verdicts: LayerVerdict[] = [];
  for (const layer of layers) verdicts.push(await judgeLayer(layer, program, options));
  return verdicts;
}

async function judgeLayer(
  { name, level, subject }: Layer,
  whole: Program,
  { profile, operationTimeoutMs }: LayerOptions,
): Promise<LayerVerdict> {
  const asked = profileRules(profile, subject.capabilities.scope).filter((one) => one.applicable && one.level === 'M');
  const must = new Set(asked.map(({ rule }) => rule.id));
  const broken = new Set<string>();
  await startSubject(subject);
  try {
    const { program, leftOut } = await fitted(whole, subject);
    const attempts = isConcurrent(program) ? ATTEMPTS : 1;
    for (let attempt = 0; attempt < attempts && broken.size === 0; attempt += 1) {
      const { judged } = await judgeProgram(subject, program, contextOf(subject, { profile }), { operationTimeoutMs });
      for (const { rule, findings } of judged) if (findings.length > 0 && must.has(rule)) broken.add(rule);
    }
    return { layer: name, level, breaks: [...broken], leftOut };
  } finally {
    await stopSubject(subject);
  }
}

/** The store's method that a step can't do without. */
const needs: Readonly<Partial<Record<Step['op'], keyof SubjectStore>>> = {
  replace: 'replace',
  append: 'append',
  cancel: 'cancel',
  delete: 'delete',
  get: 'get',
  allow: 'setAccess',
  deny: 'setAccess',
  scope: 'setScope',
  beneath: 'beneath',
  push: 'push',
  'push-list': 'push',
  'push-token': 'push',
  raw: 'raw',
  restart: 'restart',
  clock: 'setClock',
  database: 'database',
};

/** The program without the steps that the subject has no means for; two worlds are one where nobody is denied anything. */
async function fitted(program: Program, subject: Subject): Promise<{ program: Program; leftOut: number }> {
  const store = await subject.open();
  const { transports = [] } = subject.capabilities;
  const fits = (step: Step): boolean => {
    const method = needs[step.op];
    if (method !== undefined && store[method] === undefined) return false;
    return step.op !== 'raw' || transports.includes(step.transport);
  };
  let leftOut = 0;
  const kept = (steps: readonly Step[]): readonly Step[] => {
    const left = steps.filter(fits);
    leftOut += steps.length - left.length;
    return left;
  };
  const { worlds, setup, schedule: _, ...rest } = program;
  const fitting: Program = {
    ...rest,
    clients: program.clients.map(kept),
    ...(setup === undefined ? {} : { setup: kept(setup) }),
    ...(worlds === undefined || store.setAccess === undefined ? {} : { worlds }),
  };
  await store.close?.();
  return { program: fitting, leftOut };
}
