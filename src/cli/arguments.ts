/** Reads what stands after a command's name. */
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isProfileName, type ProfileName, profiles } from '../../spec/profiles.ts';
import { nearMatches } from './near.ts';
import { UsageError } from './usage-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What was given: options by name, and the words beside them. */
export interface Given {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly words: readonly string[];
}

/** Reads a command's arguments; throws a `UsageError` for an unknown flag, with the nearest known ones. */
export function readArguments(command: string, args: readonly string[], options: Options): Given {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Given['values'], words: positionals };
  } catch (error) {
    const flag = args.find(
      (word) => word.startsWith('--') && !Object.hasOwn(options, word.slice(2).split('=')[0] ?? ''),
    );
    const near = flag === undefined ? [] : nearMatches(flag.slice(2), Object.keys(options));
    const known = near.length > 0 ? near : Object.keys(options);
    const problem = flag === undefined ? (error as Error).message.split(/\.\s/)[0] : 'is not an option';
    throw new UsageError({
      where: `pagecheck ${command}${flag === undefined ? '' : ` ${flag}`}`,
      problem: problem ?? 'is not understood',
      remedy: `${near.length > 0 ? 'perhaps' : 'options are'} ${known.map((name) => `--${name}`).join(', ')}`,
    });
  }
}

/** Reads a whole number within bounds; undefined where it is absent. */
export function readNumber(given: Given, name: string, least: number, most: number): number | undefined {
  const text = given.values[name];
  if (text === undefined) return undefined;
  const value = Number(text);
  if (typeof text === 'string' && /^-?[0-9]+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError({
    where: `--${name} ${text}`,
    problem: 'is no whole number in range',
    remedy: `give one from ${least} to ${most}`,
  });
}

/** Reads a duration such as `30s`, `500ms`, `2m`; undefined where it is absent. */
export function readDuration(given: Given, name: string): number | undefined {
  const text = given.values[name];
  if (text === undefined) return undefined;
  const parts = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h)$/.exec(String(text));
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
  const value = parts === null ? 0 : Number(parts[1]) * unit[parts[2] as keyof typeof unit];
  if (value > 0) return value;
  throw new UsageError({
    where: `--${name} ${text}`,
    problem: 'is no duration',
    remedy: 'give a number and a unit, such as 500ms, 30s or 2m',
  });
}

/** Reads a profile's name; undefined where it is absent. */
export function readProfile(given: Given): ProfileName | undefined {
  const name = given.values.profile;
  if (name === undefined || (typeof name === 'string' && isProfileName(name))) return name;
  throw new UsageError({
    where: `--profile ${name}`,
    problem: 'is no profile',
    remedy: `name one of ${Object.keys(profiles).join(', ')}`,
  });
}

/** Gives an option's text; undefined where it is absent. */
export function readText(given: Given, name: string): string | undefined {
  const value = given.values[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads `--shard i/n` as the part `index`, from 0, of `of`; undefined where it is absent. */
export function readShard(given: Given): { readonly index: number; readonly of: number } | undefined {
  const text = readText(given, 'shard');
  if (text === undefined) return undefined;
  const [, index, of] = /^([0-9]+)\/([0-9]+)$/.exec(text) ?? [];
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of))
    return { index: Number(index) - 1, of: Number(of) };
  throw new UsageError({
    where: `--shard ${text}`,
    problem: 'is no shard',
    remedy: 'give i/n with i from 1 to n, such as 2/4',
  });
}
