/** A PostgreSQL store on a table that was loaded whole, for measuring what its operations cost. */
import { createHash } from 'node:crypto';
import type { PagesAct } from '../history/database.ts';
import { quoteIdentifier } from '../store/postgres-parts.ts';
import type { PostgresActs } from './postgres-acts.ts';
import { loadTable, tokenAt, updatesOf } from './postgres-pages-act.ts';
import { sightIndexes } from './postgres-sight.ts';
import type { LargeStore } from './subject.ts';
import { storeMethods } from './task-store-methods.ts';

/** Loads the table and opens the store under test on it; a second for 100,000 tasks, as long again for their updates. */
export async function loadLargeStore(acts: PostgresActs, shape: PagesAct['shape'], tasks: number): Promise<LargeStore> {
  const { schema, plans, store } = await loadTable(acts, shape, tasks);
  const methods = storeMethods(store);
  return {
    store: methods,
    ...(shape === 'one task updated' ? { updates: updatesOf(tasks) } : {}),
    indexes: await acts.withClient((client) => sightIndexes(client, schema)),
    idAt: (place) =>
      createHash('md5')
        .update(`task ${place + 1}`)
        .digest('hex'),
    tokenAt: (place, context) => tokenAt(acts, schema, { context }, place),
    counters: () => ({ ...store.counters }),
    takePlans: () => plans.take(),
    close: async () => {
      await methods.close();
      await plans.pool.end();
      await acts.withClient((client) => client.query(`DROP SCHEMA IF EXISTS ${quoteIdentifier(schema)} CASCADE`));
    },
  };
}
