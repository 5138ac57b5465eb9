/** The model as a subject: the contract's obvious reading, slow, to check the harness and the model by each other. */
import { compareKeys, type Key } from '../../models/key.ts';
import { listAfter, matches } from '../../models/listing.ts';
import { decodePageToken, encodePageToken } from '../../models/page-token.ts';
import { expectMutation, type Mutation } from '../../models/task-store.ts';
import type { Contents } from '../history/history.ts';
import type { StateName } from '../history/program.ts';
import { contentsOf, stateOf, taskOf } from '../run/content.ts';
import { TaskStoreError } from '../task/errors.ts';
import { MEMORY_EPOCH_MICROS, memoryCapabilities } from './memory.ts';
import type { ListReply, Subject, SubjectStore, WriteReply } from './subject.ts';

/** A task of the model; its revision counts its mutations. */
interface ModelRow extends Key {
  readonly contents: Contents;
  readonly revision: number;
}

const options = { create: 'reject', deduplicates: true, nul: true, maxBytes: 65_536, tokens: 'v1' } as const;

/** Makes the subject. Every operation filters, sorts and cuts all tasks anew. */
export function createModelSubject(): Subject {
  return { name: 'model', capabilities: memoryCapabilities, open: async () => openModel() };
}

function openModel(): SubjectStore {
  const rows = new Map<string, ModelRow>();
  let now = MEMORY_EPOCH_MICROS;

  function mutate(mutation: Mutation): WriteReply {
    const id = 'contents' in mutation ? mutation.contents.id : mutation.id;
    const row = rows.get(id);
    const task = row && { contents: row.contents, revision: String(row.revision), micros: row.micros };
    const expected = expectMutation(mutation, task, options);
    if (expected.kind === 'refuse') throw new TaskStoreError(expected.code as TaskStoreError['code'], 'Refused');
    if (expected.kind === 'nothing') return { ...replyOf(row as ModelRow), deduplicated: true };
    if (expected.kind === 'remove') {
      rows.delete(id);
      return {};
    }
    const least = row === undefined ? now : row.micros + 1n;
    const written = {
      id,
      contents: expected.contents,
      revision: (row?.revision ?? 0) + 1,
      micros: now > least ? now : least,
    };
    rows.set(id, written);
    return { ...replyOf(written), ...(mutation.op === 'append' ? { deduplicated: false } : {}) };
  }

  function list(request: Parameters<SubjectStore['list']>[0]): ListReply {
    const boundary = request.pageToken ? decodePageToken(request.pageToken) : undefined;
    const { pageSize = 50, historyLength, includeArtifacts } = request;
    if (
      (request.pageToken && boundary === undefined) ||
      !(Number.isInteger(pageSize) && pageSize >= 1 && pageSize <= 100)
    )
      throw new TaskStoreError('invalid-argument', 'Not a request');
    const state = stateNames.find((name) => stateOf(name) === request.status);
    const filter = {
      ...(request.contextId ? { context: request.contextId } : {}),
      ...(state === undefined ? {} : { state }),
      ...(request.statusTimestampAfter ? { after: request.statusTimestampAfter } : {}),
    };
    const matching = [...rows.values()].filter(({ contents }) => matches(contents, filter));
    const rest = listAfter(matching, boundary && { micros: boundary.lastUpdatedMicros, id: boundary.id }).sort(
      compareKeys,
    );
    const shown = rest.slice(0, pageSize);
    const last = shown.at(-1);
    return {
      tasks: shown.map(({ contents }) =>
        taskOf({
          ...contents,
          artifacts: includeArtifacts === true ? contents.artifacts : [],
          history:
            historyLength === undefined
              ? contents.history
              : contents.history.slice(contents.history.length - historyLength),
        }),
      ),
      taskCursors: shown.map(({ id, micros }) => ({ id, lastUpdatedMicros: micros })),
      nextPageToken:
        last !== undefined && rest.length > shown.length
          ? (encodePageToken({ id: last.id, lastUpdatedMicros: last.micros }) ?? '')
          : '',
      pageSize,
      ...(request.includeTotalSize === false ? {} : { totalSize: matching.length }),
    };
  }

  return {
    create: async (task) => mutate({ op: 'create', contents: contentsOf(task) }),
    replace: async (task, { ifRevision }) =>
      mutate({ op: 'replace', contents: contentsOf(task), ...(ifRevision === undefined ? {} : { ifRevision }) }),
    append: async (id, message) => mutate({ op: 'append', id, message: message.messageId }),
    cancel: async (id, { timestamp }) =>
      mutate({ op: 'cancel', id, ...(timestamp === undefined ? {} : { timestamp }) }),
    delete: async (id) => {
      mutate({ op: 'delete', id });
    },
    get: async (id) => {
      const row = rows.get(id);
      return row && { task: taskOf(row.contents), ...replyOf(row) };
    },
    list: async (request) => list(request),
    setClock: (micros) => {
      now = micros;
    },
  };
}

const stateNames: readonly StateName[] = [
  'SUBMITTED',
  'WORKING',
  'COMPLETED',
  'FAILED',
  'CANCELED',
  'INPUT_REQUIRED',
  'REJECTED',
  'AUTH_REQUIRED',
];

function replyOf({ micros, revision }: ModelRow): WriteReply {
  return { lastUpdatedMicros: micros, revision: String(revision) };
}
