/** Faults in what a store makes of writes: when it writes, when it must not, and what it says of it. */
import { parseInstant } from '../../store/instant.ts';
import type { CallContext, SubjectStore, WriteReply } from '../../subject/subject.ts';
import { answering, type FaultWrapper, refusal, rowsOf, withRows } from './wrapper.ts';

/** Writes a task as it stands, so that only its time and revision move. */
async function touch(store: SubjectStore, id: string, call: CallContext): Promise<void> {
  const read = await store.get?.(id, call);
  if (read !== undefined) await store.replace?.(read.task, {}, call);
}

/** Runs a write; where it is refused, does something to the store first that it must not. */
async function unlessRefused<T>(write: Promise<T>, refused: () => Promise<unknown>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    // What the fault does may fail in its turn, at the end of time for one: the refusal is what the caller is told.
    await refused().catch(() => undefined);
    throw error;
  }
}

/** What a reader is told of a task's time, in answers, reads and cursors, is changed; the order is not. */
function telling(time: (id: string, real: bigint) => bigint, store: SubjectStore): Partial<SubjectStore> {
  const tell = <T extends WriteReply | undefined>(id: string, reply: T): T =>
    reply?.lastUpdatedMicros === undefined ? reply : { ...reply, lastUpdatedMicros: time(id, reply.lastUpdatedMicros) };
  const { list } = answering((reply) =>
    withRows(
      reply,
      rowsOf(reply).map((row) => ({
        ...row,
        cursor: row.cursor && { ...row.cursor, lastUpdatedMicros: time(row.task.id, row.cursor.lastUpdatedMicros) },
      })),
    ),
  )(store);
  return {
    create: async (task, call) => tell(task.id, await store.create(task, call)),
    ...(store.replace && {
      replace: async (task, options, call) => tell(task.id, await store.replace!(task, options, call)),
    }),
    ...(store.append && { append: async (id, message, call) => tell(id, await store.append!(id, message, call)) }),
    ...(store.cancel && { cancel: async (id, options, call) => tell(id, await store.cancel!(id, options, call)) }),
    ...(store.get && { get: async (id, call) => tell(id, await store.get!(id, call)) }),
    list: list!,
  } as Partial<SubjectStore>;
}

/** A task keeps the first time that was seen of it. */
const keepingTimes: FaultWrapper['wrap'] = (store) => {
  const first = new Map<string, bigint>();
  const told = telling((id, real) => {
    const time = first.get(id) ?? real;
    first.set(id, time);
    return time;
  }, store);
  return {
    ...told,
    ...(store.delete && {
      delete: async (id, call) => {
        await store.delete!(id, call);
        first.delete(id);
      },
    }),
  } as Partial<SubjectStore>;
};

/** A task's time is the status time that was written last. */
const takingStatusTime: FaultWrapper['wrap'] = (store) => {
  const stamps = new Map<string, bigint>();
  const told = telling((id, real) => stamps.get(id) ?? real, store);
  const keep = (id: string, timestamp: string | undefined): void => {
    const instant = parseInstant(timestamp ?? '');
    if (instant === undefined) stamps.delete(id);
    else stamps.set(id, BigInt(instant.seconds) * 1_000_000n + BigInt(Math.floor(instant.nanos / 1_000)));
  };
  return {
    ...told,
    create: async (task, call) => {
      const reply = await store.create(task, call);
      keep(task.id, task.status?.timestamp);
      const time = stamps.get(task.id);
      return time === undefined ? reply : { ...reply, lastUpdatedMicros: time };
    },
  };
};

const appends: FaultWrapper['needs'] = ({ deduplicates }) => deduplicates;

/** Tells whether an append finds its message there already. */
async function isThere(store: SubjectStore, id: string, messageId: string, call: CallContext): Promise<boolean> {
  const read = await store.get?.(id, call);
  return read?.task.history.some((message) => message.messageId === messageId) ?? false;
}

/** Answers a write with what a read says, and writes nothing. */
async function pretend(store: SubjectStore, id: string, call: CallContext): Promise<WriteReply | undefined> {
  const read = await store.get?.(id, call);
  if (read === undefined) throw refusal('not-found', 'There is no such task');
  const { task: _, ...reply } = read;
  return reply;
}

export const writeWrappers: readonly FaultWrapper[] = [
  {
    id: 'status-time-taken',
    fault: "a new task's time is its status time",
    rule: 'TIME-1',
    needs: ({ boundaries }) => boundaries,
    wrap: takingStatusTime,
  },
  {
    id: 'write-keeps-time',
    fault: 'a write does not move its task',
    rule: 'TIME-2',
    methods: ['replace'],
    needs: ({ boundaries }) => boundaries,
    wrap: keepingTimes,
  },
  {
    id: 'deduplicated-append-writes',
    fault: 'a deduplicated append moves its task',
    rule: 'TIME-3',
    standsOn: 'TIME-2',
    methods: ['append', 'get', 'replace'],
    needs: appends,
    wrap: (store) => ({
      append: async (id, message, call) => {
        const there = await isThere(store, id, message.messageId, call);
        const reply = await store.append!(id, message, call);
        if (there) await touch(store, id, call).catch(() => undefined);
        return reply;
      },
    }),
  },
  {
    id: 'conflict-writes',
    fault: 'a replace with an outdated revision writes, and is then refused',
    rule: 'TIME-3',
    methods: ['replace', 'get'],
    needs: ({ revisions }) => revisions,
    wrap: (store) => ({
      replace: (task, options, call) =>
        unlessRefused(store.replace!(task, options, call), async () => {
          if (options.ifRevision !== undefined && (await store.get!(task.id, call)) !== undefined)
            await store.replace!(task, {}, call);
        }),
    }),
  },
  {
    id: 'rejected-cancel-writes',
    fault: 'a cancel that is refused moves its task',
    rule: 'TIME-3',
    standsOn: 'TIME-2',
    methods: ['cancel', 'get', 'replace'],
    wrap: (store) => ({
      cancel: (id, options, call) => unlessRefused(store.cancel!(id, options, call), () => touch(store, id, call)),
    }),
  },
  {
    id: 'rejected-create-writes',
    fault: 'a create of an id that stands replaces the task, and is then refused',
    rule: 'TIME-3',
    methods: ['get', 'replace'],
    needs: ({ create }) => create === 'reject',
    wrap: (store) => ({
      create: (task, call) =>
        unlessRefused(store.create(task, call), async () => {
          if ((await store.get!(task.id, call)) !== undefined) await store.replace!(task, {}, call);
        }),
    }),
  },
  {
    id: 'deduplicated-append-fails',
    fault: 'an append of a message that is there is refused',
    rule: 'TIME-4',
    methods: ['append', 'get'],
    needs: appends,
    wrap: (store) => ({
      append: async (id, message, call) => {
        if (await isThere(store, id, message.messageId, call)) throw refusal('already-exists', 'The message is there');
        return store.append!(id, message, call);
      },
    }),
  },
  {
    id: 'end-of-time-passed',
    fault: 'a mutation at the end of time answers as if it had succeeded',
    rule: 'TIME-5',
    methods: ['replace', 'get'],
    needs: ({ clock, ties }) => clock && ties,
    wrap: (store) => ({
      replace: async (task, options, call) => {
        try {
          return await store.replace!(task, options, call);
        } catch (error) {
          const read = await store.get!(task.id, call);
          if (read?.lastUpdatedMicros !== 2n ** 63n - 1n || options.ifRevision !== undefined) throw error;
          return pretend(store, task.id, call);
        }
      },
    }),
  },
  {
    id: 'update-lost',
    fault: 'a replace is acknowledged and does nothing',
    rule: 'SNAP-2',
    methods: ['replace', 'get'],
    wrap: (store) => ({
      replace: (task, { ifRevision }, call) =>
        ifRevision === undefined ? pretend(store, task.id, call) : store.replace!(task, { ifRevision }, call),
    }),
  },
  {
    id: 'append-lost',
    fault: 'an append is acknowledged and does nothing',
    rule: 'SNAP-2',
    methods: ['append', 'get'],
    wrap: (store) => ({ append: (id, _, call) => pretend(store, id, call) }),
  },
  {
    id: 'delete-lost',
    fault: 'a delete is acknowledged and does nothing',
    rule: 'WALK-4',
    methods: ['delete', 'get'],
    wrap: (store) => ({
      delete: async (id, call) => {
        await pretend(store, id, call);
      },
    }),
  },
];
