-- Brings an older release's table to the order of lists, for an externally managed schema. May run again. Change `public`
-- where the store is told another schema. Rows keep their updated_at: no statement here touches one.
--
-- Making an index keeps writers out. On a large table make both by hand first, outside a transaction, with
-- CREATE INDEX CONCURRENTLY under other names: this file then finds its own names free and makes nothing twice only if
-- you rename them (ALTER INDEX … RENAME TO …) before it runs.
BEGIN;

ALTER TABLE public.a2a_tasks ALTER COLUMN updated_at SET DEFAULT clock_timestamp();

-- CREATE INDEX IF NOT EXISTS looks at the name alone. An older release has an index on the status time under the name of
-- the first, and a CREATE INDEX CONCURRENTLY that was broken off leaves one that is not valid: such ones go first.
DO $$
DECLARE
  standing record;
BEGIN
  FOR standing IN
    SELECT i.indexrelid::regclass AS name
    FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    WHERE i.indrelid = 'public.a2a_tasks'::regclass
      AND c.relname IN ('idx_a2a_tasks_updated', 'idx_a2a_tasks_context_updated')
      AND NOT (
        i.indisvalid AND i.indisready
        AND regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', '') = CASE c.relname
          WHEN 'idx_a2a_tasks_updated' THEN 'btree (updated_at DESC, id COLLATE "C" DESC)'
          ELSE 'btree (context_id, updated_at DESC, id COLLATE "C" DESC)'
        END
      )
  LOOP
    EXECUTE format('DROP INDEX %s', standing.name);
  END LOOP;
END
$$;

CREATE INDEX IF NOT EXISTS idx_a2a_tasks_updated
  ON public.a2a_tasks (updated_at DESC, id COLLATE "C" DESC);
CREATE INDEX IF NOT EXISTS idx_a2a_tasks_context_updated
  ON public.a2a_tasks (context_id, updated_at DESC, id COLLATE "C" DESC);

COMMIT;
