-- The table of tasks for an externally managed schema, PostgreSQL 14 or later. Change `public` where the store is told
-- another schema. `updated_at` is the only column that orders a list; all writers must advance it with every change.
BEGIN;

CREATE TABLE public.a2a_tasks (
  id text NOT NULL,
  context_id text NOT NULL DEFAULT '',
  revision bigint NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  status_state integer NOT NULL DEFAULT 0,
  status_seconds bigint,
  status_nanos integer,
  status text,
  metadata text,
  history text NOT NULL DEFAULT '',
  message_ids text[] NOT NULL DEFAULT '{}',
  artifacts text NOT NULL DEFAULT '',
  PRIMARY KEY (id)
);

CREATE INDEX idx_a2a_tasks_updated
  ON public.a2a_tasks (updated_at DESC, id COLLATE "C" DESC);
CREATE INDEX idx_a2a_tasks_context_updated
  ON public.a2a_tasks (context_id, updated_at DESC, id COLLATE "C" DESC);

COMMIT;
