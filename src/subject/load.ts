/** Finds a subject by what stands on a command line: a bundled name, the address of an agent, or the path of a module. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { UrlSubjectOptions } from './agent-url.ts';
import { bundledSubjects, type SubjectSettings } from './bundled.ts';
import type { Subject } from './subject.ts';
import { UsageError } from './usage-error.ts';

/** What a run chooses for whichever subject it names. */
export type LoadSettings = SubjectSettings & UrlSubjectOptions;

/** Tells the address of an agent from a bundled name or a path. */
export function isAgentUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}

/**
 * Gives the subject of a name, address or path; throws a `UsageError` that says what is wrong with the agent or the
 * module.
 */
export async function loadSubject(name: string, settings: LoadSettings = {}): Promise<Subject> {
  const bundled = bundledSubjects[name];
  if (bundled !== undefined) return bundled(settings);
  if (isAgentUrl(name)) return (await import('./agent-url.ts')).connectUrlSubject(name, settings);
  const path = resolve(name);
  if (!existsSync(path)) {
    throw new UsageError({
      where: name,
      problem: 'is neither a bundled subject, nor the address of an agent, nor a file',
      remedy: `name one of ${Object.keys(bundledSubjects).join(', ')}, the URL of an agent, or the path of a module whose default export is a subject`,
    });
  }
  return subjectOf(await importModule(path, name), name);
}

async function importModule(path: string, name: string): Promise<object> {
  try {
    const url = pathToFileURL(path).href;
    if (!/\.[cm]?tsx?$/.test(path) || process.execArgv.join(' ').includes('tsx')) return (await import(url)) as object;
    const { tsImport } = await import('tsx/esm/api');
    return (await tsImport(url, import.meta.url)) as object;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      {
        where: name,
        problem: `can't be imported (${message.split('\n')[0]})`,
        remedy: 'make the module load by itself first',
      },
      3,
      { cause: error },
    );
  }
}

/** Takes the default export, checked as far as a misuse can be told from a fault of the store. */
function subjectOf(module: object, name: string): Subject {
  const subject = 'default' in module ? (module.default as Partial<Subject> | null) : undefined;
  const wrong = (problem: string) =>
    new UsageError({
      where: name,
      problem,
      remedy: 'export default defineSubject({ name, open }), as examples/map-store.subject.ts does',
    });
  if (subject === undefined) throw wrong('has no default export');
  if (typeof subject !== 'object' || subject === null)
    throw wrong(`has a default export of type ${typeof subject}, which is no subject`);
  if (typeof subject.open !== 'function')
    throw wrong('has a default export without a method open, which is no subject');
  if (typeof subject.name !== 'string' || subject.name === '') throw wrong('has a subject without a name');
  if (typeof subject.capabilities !== 'object') throw wrong('has a subject without capabilities');
  return subject as Subject;
}
