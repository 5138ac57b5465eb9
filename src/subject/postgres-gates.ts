/**
 * Has the requests of any store that connects to a database of `openPostgresDatabase` pass a gate, where the harness can
 * hold them: the store needs no change, and may be another process in another language.
 */
import { EnvironmentError } from '../run/environment-error.ts';
import { ScheduleProxy } from '../run/schedule-proxy.ts';
import type { Subject } from './subject.ts';

/** The gates before every database that is opened meanwhile. */
export interface DatabaseGates {
  /** Gives the connection string that leads through a new gate; the same where there can be none. */
  lead(url: string, sideUrl: string): Promise<string>;
  /** Gives the subject as one whose stores can be opened behind the gate, where it has opened one database. */
  over(subject: Subject): Subject;
  /** What the reader of a certificate should know, one sentence each. */
  readonly notes: readonly string[];
  close(): Promise<void>;
}

// On the global object: a module of a user may be loaded beside another copy of this file.
const KEY = Symbol.for('pagecheck.databaseGates');
const place = globalThis as { [KEY]?: DatabaseGates };

/** Puts a gate before every database that `openPostgresDatabase` opens from now on, until the gates are closed. */
export function gateDatabases(): DatabaseGates {
  const proxies: ScheduleProxy[] = [];
  const notes: string[] = [];
  const gates: DatabaseGates = {
    notes,
    async lead(url, sideUrl) {
      try {
        const proxy = await ScheduleProxy.listen(url, sideUrl);
        proxies.push(proxy);
        return proxy.url;
      } catch (error) {
        if (!(error instanceof EnvironmentError)) throw error;
        notes.push(error.message);
        return url;
      }
    },
    over(subject) {
      const [gate, ...others] = proxies;
      // Which of several servers a request belongs before is nothing that one schedule says.
      if (gate === undefined || others.length > 0 || subject.openScheduled || subject.openGated) return subject;
      return { ...subject, openGated: async () => ({ store: await subject.open(), gate }) };
    },
    async close() {
      if (place[KEY] === gates) delete place[KEY];
      await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
    },
  };
  place[KEY] = gates;
  return gates;
}

/** The gates that databases are opened behind now, if any. */
export function databaseGates(): DatabaseGates | undefined {
  return place[KEY];
}
