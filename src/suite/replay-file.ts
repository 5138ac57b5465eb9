/** A saved counterexample: a program, the rule that it shows, and the subject it was found on. */
import { isProfileName, type ProfileName } from '../../spec/profiles.ts';
import type { Program, Step } from '../history/program.ts';
import { UsageError } from '../subject/usage-error.ts';
import { programShape } from './program-shape.ts';
import { parseJson, readShape } from './read-json.ts';
import { constant, integer, object, type Shape, text } from './shape.ts';

export interface Replay {
  readonly subject: string;
  readonly profile: ProfileName;
  readonly rule: string;
  readonly seed: number;
  readonly run: number;
  readonly program: Program;
}

interface ReplayFile extends Omit<Replay, 'profile'> {
  readonly format: 'pagecheck-replay';
  readonly version: 1;
  readonly profile: string;
}

const shape: Shape<ReplayFile> = object<ReplayFile>({
  format: constant('pagecheck-replay'),
  version: constant(1),
  subject: text,
  profile: text,
  rule: text,
  seed: integer,
  run: integer,
  program: programShape,
});

/** Writes a replay as JSON text. */
export function formatReplay(replay: Replay): string {
  return `${JSON.stringify({ format: 'pagecheck-replay', version: 1, ...replay }, undefined, 1)}\n`;
}

/** Reads a replay; throws a `UsageError` that names the field at fault. */
export function parseReplay(source: string, where: string): Replay {
  const remedy = 'give a file that a failing run of pagecheck has written';
  const { format: _, version: __, ...replay } = readShape(parseJson(source, where, remedy), shape, where, remedy);
  const { clients, schedule } = replay.program;
  const stranger = schedule?.find((client) => client >= clients.length);
  if (stranger !== undefined)
    throw new UsageError({
      where,
      problem: `has a schedule of another program: it names client ${stranger}, and there are ${clients.length}`,
      remedy,
    });
  const profile = isProfileName(replay.profile) ? replay.profile : '0.6';
  return { ...replay, profile, program: withSizes(replay.program) };
}

/** JSON has no NaN: a page size that was one is null in the file, and means NaN again. */
function withSizes(program: Program): Program {
  const size = (step: Step): Step =>
    'pageSize' in step && (step.pageSize as number | null) === null ? { ...step, pageSize: Number.NaN } : step;
  const { setup, clients } = program;
  return {
    ...program,
    ...(setup === undefined ? {} : { setup: setup.map(size) }),
    clients: clients.map((steps) => steps.map(size)),
  };
}
