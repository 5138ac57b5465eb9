/** A saved counterexample: a program, the rule that it shows, and the subject it was found on. */
import { isProfileName, type ProfileName } from '../../spec/profiles.ts';
import type { Program } from '../history/program.ts';
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
  const profile = isProfileName(replay.profile) ? replay.profile : '0.6';
  return { ...replay, profile };
}
