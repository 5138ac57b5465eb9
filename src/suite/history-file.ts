/** A saved history: what happened, and all that judging it again takes. */
import { isProfileName, type ProfileName, profileRules, profiles } from '../../spec/profiles.ts';
import type { History } from '../history/history.ts';
import { decodeHistory, encodeHistory, HistoryFormatError } from '../history/json-lines.ts';
import { isConcurrent, type Program } from '../history/program.ts';
import type { Capabilities, Scope, Subject } from '../subject/subject.ts';
import { UsageError } from '../subject/usage-error.ts';
import { type Judged, judgeHistory } from './judge.ts';
import { readShape } from './read-json.ts';
import { count, flag, list, microsText, object, oneOf, optional, type Shape, text } from './shape.ts';

interface Header {
  readonly subject: string;
  readonly profile: string;
  /** The rule that it was kept for; absent where it is of no one. */
  readonly rule?: string;
  readonly scenario: string;
  /** `at-once` where clients overlap, `in-turn` where each operation follows the one before. */
  readonly clients: 'at-once' | 'in-turn';
  readonly capabilities: SavedCapabilities;
}

/** Capabilities as JSON. */
type SavedCapabilities = Omit<Capabilities, 'clockFrom'> & { readonly clockFrom?: string };

const capabilities: Shape<SavedCapabilities> = object<SavedCapabilities>({
  scope: list(oneOf<Scope>('T', 'I', 'P', 'D', 'W', 'X')),
  revisions: flag,
  clock: flag,
  clockFrom: optional(microsText),
  ties: flag,
  boundaries: flag,
  tokens: oneOf('v1', 'opaque'),
  create: oneOf('reject', 'upsert'),
  deduplicates: flag,
  totals: flag,
  validatesPageSize: flag,
  callers: flag,
  transports: optional(list(text)),
  agent: optional(flag),
  database: optional(flag),
  ids: object<Capabilities['ids']>({ nul: flag, maxBytes: count }),
});

const shape: Shape<Header> = object<Header>({
  subject: text,
  profile: text,
  rule: optional(text),
  scenario: text,
  clients: oneOf('at-once', 'in-turn'),
  capabilities,
});

/** Writes a history with what its judge must know, as JSON Lines. */
export function formatHistory(
  subject: Subject,
  history: History,
  of: { readonly profile: ProfileName; readonly rule?: string; readonly program: Program },
): string {
  const { clockFrom, ...rest } = subject.capabilities;
  const header: Header = {
    subject: subject.name,
    profile: of.profile,
    ...(of.rule === undefined ? {} : { rule: of.rule }),
    scenario: of.program.scenario,
    clients: isConcurrent(of.program) ? 'at-once' : 'in-turn',
    capabilities: { ...rest, ...(clockFrom === undefined ? {} : { clockFrom: String(clockFrom) }) },
  };
  return `${[...encodeHistory(history, { ...header })].join('\n')}\n`;
}

/** A saved history, judged. */
export interface JudgedHistory {
  readonly subject: string;
  readonly profile: ProfileName;
  readonly rule: string | undefined;
  readonly history: History;
  /** Of the rules that the profile asks of such a subject. */
  readonly judged: readonly (Judged & { readonly level: 'M' | 'S' })[];
}

/**
 * Judges saved histories, one after the other in one text, without the stores that they are of; under `profile` where one
 * is given, else each under its own. Throws a `UsageError` that names the line where the text is no whole history.
 */
export function* judgeHistoriesText(source: string, where: string, profile?: ProfileName): Generator<JudgedHistory> {
  const lines = source.split('\n');
  for (let from = 0; from < lines.length; ) {
    // The next history begins with the next header.
    const next = lines.findIndex((line, at) => at > from && line.startsWith('{"format":'));
    const until = next < 0 ? lines.length : next;
    yield judgeLines(lines.slice(from, until), from, where, profile);
    from = until;
  }
}

function judgeLines(
  lines: readonly string[],
  before: number,
  where: string,
  profile: ProfileName | undefined,
): JudgedHistory {
  const remedy = 'give a history that pagecheck has written, whole';
  const { header, history } = decoded(lines, before, where, remedy);
  const read: Header = readShape<Header>(header as unknown as Header, shape, `${where}: line ${before + 1}`, remedy);
  const chosen = profile ?? (isProfileName(read.profile) ? read.profile : '0.6');
  const { clockFrom, ...rest } = read.capabilities;
  const context = {
    capabilities: { ...rest, ...(clockFrom === undefined ? {} : { clockFrom: BigInt(clockFrom) }) },
    order: profiles[chosen].order,
  };
  const clients = read.clients === 'at-once' ? [[], []] : [[]];
  const asked = new Map(
    profileRules(chosen, context.capabilities.scope).flatMap(({ rule, level, applicable }) =>
      applicable ? [[rule.id, level] as const] : [],
    ),
  );
  const judged = judgeHistory(history, { scenario: read.scenario, clients }, context).judged.flatMap((one) => {
    const level = asked.get(one.rule);
    return level === undefined ? [] : [{ ...one, level }];
  });
  return { subject: read.subject, profile: chosen, rule: read.rule, history, judged };
}

function decoded(
  lines: readonly string[],
  before: number,
  where: string,
  remedy: string,
): ReturnType<typeof decodeHistory> {
  try {
    return decodeHistory(lines);
  } catch (error) {
    if (!(error instanceof HistoryFormatError)) throw error;
    throw new UsageError({ where: `${where}: line ${before + error.line}`, problem: error.problem, remedy }, 3, {
      cause: error,
    });
  }
}
