/** The adversaries of a run: what it has to meet often enough, and which rules are empty words where it did not. */
import { idClasses } from '../generate/ids.ts';
import type { Capabilities } from '../subject/subject.ts';
import type { Methods } from './applicable.ts';
import type { Coverage, RuleResult } from './certificate.ts';

export interface Adversary {
  readonly name: string;
  /** Rules that a run can't pass without having met it; none where it is counted for the reader only. */
  readonly rules: readonly string[];
  /** How often it has to be met; 5 where absent. */
  readonly floor?: number;
  /** Whether the subject can be brought into it at all; always where absent. */
  readonly suits?: ((capabilities: Capabilities, methods: Methods) => boolean) | undefined;
}

const usualFloor = 5;

const hasClock: Adversary['suits'] = ({ clock }) => clock;
const hasTies: Adversary['suits'] = ({ clock, ties }) => clock && ties;
const hasCallers: Adversary['suits'] = ({ callers }) => callers;
/** An agent gives its tasks ids of its own, and names no more than it lists. */
const choosesIds: Adversary['suits'] = ({ agent }) => agent !== true;
/** A store on its own, not only under a dispatcher or behind a wire. */
const isStore = ({ scope }: Capabilities): boolean => scope.some((letter) => letter !== 'D' && letter !== 'W');

/** The adversaries that every subject is counted for. */
export type AdversaryName =
  | 'tie across a boundary'
  | 'boundary updated'
  | 'boundary deleted'
  | 'boundary revoked'
  | 'frozen clock'
  | 'backwards clock'
  | 'task at the end of time'
  | 'awkward id at a boundary'
  | 'page of one'
  | 'page one shorter than the list'
  | 'page as long as the list'
  | 'page one longer than the list'
  | 'page of a hundred'
  | 'page of no size given'
  | 'page exactly full and last'
  | 'deduplicated append'
  | 'rejected write'
  | 'two walks at once'
  | 'numeric token'
  | 'malformed token'
  | 'filtered page'
  | 'token under another filter'
  | "another caller's token"
  | 'more hidden tasks than a batch';

const fixed: Readonly<Record<AdversaryName, Omit<Adversary, 'name'>>> = {
  'tie across a boundary': { rules: ['ORDER-1', 'WALK-3'], suits: hasTies },
  'boundary updated': { rules: ['TOKEN-5'] },
  'boundary deleted': { rules: ['TOKEN-5'], suits: (_, methods) => methods.has('delete') },
  'boundary revoked': { rules: ['TOKEN-5'], suits: hasCallers },
  'frozen clock': { rules: ['TIME-2'], suits: hasClock },
  'backwards clock': { rules: ['TIME-2'], suits: hasClock },
  'task at the end of time': {
    rules: ['TIME-5'],
    suits: (capabilities) => capabilities.clock && capabilities.ties && isStore(capabilities),
  },
  'awkward id at a boundary': { rules: ['TOKEN-2'], suits: choosesIds },
  'page of one': { rules: ['WALK-6'] },
  'page one shorter than the list': { rules: ['WALK-6'] },
  'page as long as the list': { rules: ['WALK-6'] },
  'page one longer than the list': { rules: ['WALK-6'] },
  'page of a hundred': { rules: ['WIRE-5'] },
  'page of no size given': { rules: ['WIRE-5'] },
  'page exactly full and last': { rules: ['WALK-6'] },
  'deduplicated append': { rules: ['TIME-3', 'TIME-4'], suits: ({ deduplicates }) => deduplicates },
  'rejected write': { rules: ['TIME-3'] },
  'two walks at once': { rules: [] },
  'numeric token': { rules: ['TOKEN-3'] },
  'malformed token': { rules: ['TOKEN-4'] },
  'filtered page': { rules: ['FILTER-1'] },
  'token under another filter': { rules: ['TOKEN-8'] },
  "another caller's token": { rules: ['TOKEN-8'], suits: hasCallers },
  'more hidden tasks than a batch': { rules: ['AUTH-6'], floor: 1, suits: hasCallers },
};

const idPrefix = 'ids: ';
const idRules: readonly string[] = ['STORE-3'];

/** The adversary that an id class is: so many ids of it were created. */
export function idAdversary(className: string): string {
  return `${idPrefix}${className.replaceAll('-', ' ')}`;
}

/** The rules that need an adversary; none of a name that another version counts. */
function rulesNeeding(name: string): readonly string[] {
  if (Object.hasOwn(fixed, name)) return fixed[name as AdversaryName].rules;
  return name.startsWith(idPrefix) ? idRules : [];
}

/** Every adversary; id classes as far as the subject keeps their ids. */
export function adversaries({ ids }: Capabilities): readonly Adversary[] {
  const classes = idClasses(ids).map(
    ({ name }): Adversary => ({ name: idAdversary(name), rules: idRules, floor: 3, suits: choosesIds }),
  );
  const known = Object.entries(fixed).map(([name, adversary]): Adversary => ({ name, ...adversary }));
  return [...known, ...classes];
}

/** How often each adversary was met, with the floor that it needs; 0 where the subject can't be brought into it. */
export function coverageOf(
  counts: ReadonlyMap<string, number>,
  capabilities: Capabilities,
  methods: Methods,
): Coverage[] {
  return adversaries(capabilities).map(({ name, floor = usualFloor, suits }) => ({
    name,
    count: counts.get(name) ?? 0,
    floor: (suits?.(capabilities, methods) ?? true) ? floor : 0,
  }));
}

/** Results in which a rule that passed without an adversary that it needs is vacuous. */
export function withCoverage(rules: readonly RuleResult[], coverage: readonly Coverage[]): RuleResult[] {
  const thin = coverage.filter(({ count, floor }) => count < floor);
  return rules.map((result) => {
    const missed = thin.find(({ name }) => rulesNeeding(name).includes(result.rule));
    if (missed === undefined || result.status !== 'pass') return result;
    const reason = `the run met “${missed.name}” ${missed.count} times; ${missed.floor} are needed`;
    return { ...result, status: 'vacuous', reason };
  });
}
