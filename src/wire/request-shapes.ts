/** What the requests of A2A 1.0 look like in JSON (§5.5 names, proto types); shared by JSON-RPC and HTTP+JSON. */
import type { Fields } from './field-shapes.ts';

const part: Fields = {
  fields: {
    text: 'string',
    raw: 'base64',
    url: 'string',
    data: 'json',
    metadata: 'struct',
    filename: 'string',
    mediaType: 'string',
  },
  oneOf: ['text', 'raw', 'url', 'data'],
};

const message: Fields = {
  fields: {
    messageId: 'string',
    contextId: 'string',
    taskId: 'string',
    role: 'role',
    parts: { list: part },
    metadata: 'struct',
    extensions: { list: 'string' },
    referenceTaskIds: { list: 'string' },
  },
  required: ['messageId'],
};

/** A push configuration; over HTTP+JSON the task id stands in the path. */
export const pushConfigShape: Fields = {
  fields: {
    tenant: 'string',
    id: 'string',
    taskId: 'string',
    url: 'string',
    token: 'string',
    authentication: { fields: { scheme: 'string', credentials: 'string' } },
  },
  required: ['url'],
};

/** A send request. */
export const sendShape: Fields = {
  fields: {
    tenant: 'string',
    message,
    configuration: {
      fields: {
        acceptedOutputModes: { list: 'string' },
        taskPushNotificationConfig: pushConfigShape,
        historyLength: 'int32',
        returnImmediately: 'boolean',
      },
    },
    metadata: 'struct',
  },
  required: ['message'],
};

const listFields: Fields['fields'] = {
  contextId: 'string',
  status: 'state',
  pageSize: 'int32',
  pageToken: 'string',
  historyLength: 'int32',
  statusTimestampAfter: 'timestamp',
  includeArtifacts: 'boolean',
};

/** The body of a cancel over HTTP+JSON. */
export const cancelBodyShape: Fields = { fields: { tenant: 'string', metadata: 'struct' } };

/** The query of each HTTP+JSON route that has one. */
export const queryShapes: Readonly<Record<'list' | 'get' | 'listPushConfigs', Fields>> = {
  list: { fields: listFields },
  get: { fields: { historyLength: 'int32' } },
  listPushConfigs: { fields: { pageSize: 'int32', pageToken: 'string' } },
};

const byId: Fields = { fields: { tenant: 'string', id: 'string', taskId: 'string' }, required: ['id'] };
const byTaskAndId: Fields = { ...byId, required: ['id', 'taskId'] };

/** The parameters of each JSON-RPC method. */
export const methodShapes: ReadonlyMap<string, Fields> = new Map<string, Fields>([
  ['SendMessage', sendShape],
  ['SendStreamingMessage', sendShape],
  ['GetTask', { fields: { tenant: 'string', id: 'string', historyLength: 'int32' }, required: ['id'] }],
  ['ListTasks', { fields: { tenant: 'string', ...listFields } }],
  ['CancelTask', { fields: { tenant: 'string', id: 'string', metadata: 'struct' }, required: ['id'] }],
  ['SubscribeToTask', byId],
  ['CreateTaskPushNotificationConfig', { ...pushConfigShape, required: ['taskId', 'url'] }],
  ['GetTaskPushNotificationConfig', byTaskAndId],
  ['DeleteTaskPushNotificationConfig', byTaskAndId],
  [
    'ListTaskPushNotificationConfigs',
    {
      fields: { tenant: 'string', taskId: 'string', pageSize: 'int32', pageToken: 'string' },
      required: ['taskId'],
    },
  ],
  ['GetExtendedAgentCard', { fields: { tenant: 'string' } }],
]);
