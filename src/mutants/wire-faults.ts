/** Agents that lose, add, misread or misspell something between their dispatcher and the network. */
import { A2AError, RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors';
import { NO_CALLER } from '../subject/dispatcher.ts';
import type { Transport } from '../wire/transport-error.ts';
import {
  answeringLists,
  askingLists,
  handling,
  intercepting,
  type Json,
  listing,
  onJson,
  type WireFault,
} from './wire-fault.ts';

const everywhere: readonly Transport[] = ['jsonrpc', 'http', 'grpc'];
/** A page that can't be read is no page, whatever was asked. */
const unreadable = ['AUTH-8', 'FILTER-1', 'TOKEN-1', 'TOKEN-7', 'TOKEN-8', 'WIRE-1', 'WIRE-4'];
/** A page size that is wrong is taken for another. */
const badSizes = ['WIRE-1', 'WIRE-3', 'WIRE-5'];

/** In the order of their rows. */
export const wireFaults: readonly WireFault[] = [
  {
    id: 'WIRE-01',
    fault: 'the next page token is left out on the last page',
    breaks: unreadable,
    options: answeringLists(({ nextPageToken, ...page }) => (nextPageToken === '' ? page : { ...page, nextPageToken })),
  },
  {
    id: 'WIRE-03',
    fault: 'an empty list of tasks is null',
    breaks: unreadable,
    options: answeringLists((page) => ((page.tasks as unknown[]).length === 0 ? { ...page, tasks: null } : page)),
  },
  {
    id: 'WIRE-04',
    fault: 'a total of zero is left out',
    breaks: ['WIRE-4', 'COUNT-1', 'WIRE-1', 'WIRE-2'],
    options: answeringLists(({ totalSize, ...page }) => (totalSize === 0 ? page : { ...page, totalSize })),
  },
  {
    id: 'WIRE-06',
    choice: 'http',
    fault: 'artifacts that were asked for are left out where there are none',
    breaks: [],
    equivalent:
      'WIRE-4 names what is always there, and artifacts are not among it: the JSON of a proto3 message may leave an empty list out, the SDK does so itself, and both read alike',
    options: answeringLists((page) => ({
      ...page,
      tasks: (page.tasks as Json[]).map(({ artifacts = [], ...task }) =>
        (artifacts as unknown[]).length === 0 ? task : { ...task, artifacts },
      ),
    })),
  },
  {
    id: 'WIRE-07',
    fault: 'the task cursors cross the wire',
    breaks: ['WIRE-2'],
    options: answeringLists((page) => ({
      ...page,
      taskCursors: (page.tasks as Json[]).map(({ id }) => ({ id, lastUpdatedMicros: '0' })),
    })),
  },
  {
    id: 'WIRE-08',
    fault: 'includeTotalSize is obeyed when a client sends it',
    breaks: ['WIRE-2', 'WIRE-4'],
    options: answeringLists((page, asked) => {
      const wanted = asked.includeTotalSize ?? asked.include_total_size;
      return wanted === false || wanted === 'false' ? { ...page, totalSize: 0 } : page;
    }),
  },
  {
    id: 'WIRE-10',
    choice: 'http',
    fault: 'a plus sign in a page token is read as a space',
    breaks: [],
    equivalent:
      'a v1 token is made of letters, digits, dots, hyphens and underscores, so none holds a plus sign; a text with a plus sign is refused, and so is the same text with a space (TOK-23 is the token that does hold one)',
    options: askingLists(['http'], ({ pageToken, ...fields }) =>
      typeof pageToken === 'string' ? { ...fields, pageToken: pageToken.replaceAll('+', ' ') } : fields,
    ),
  },
  {
    id: 'WIRE-11',
    fault: 'HTTP+JSON drops the filter on status times',
    breaks: ['FILTER-1', 'WIRE-1', 'COUNT-1', 'WALK-1', 'WALK-4', 'WALK-5', 'TOKEN-7', 'TOKEN-8', 'WIRE-3'],
    options: askingLists(['http'], ({ statusTimestampAfter: _, ...fields }) => fields),
  },
  {
    id: 'WIRE-13',
    choice: 'http',
    fault: 'an unknown status is answered with an empty page',
    breaks: ['FILTER-1', 'WIRE-3'],
    options: askingLists(['jsonrpc', 'http'], (fields) =>
      typeof fields.status === 'string' && !fields.status.startsWith('TASK_STATE_')
        ? { contextId: 'no context at all' }
        : fields,
    ),
  },
  {
    id: 'WIRE-14',
    choice: 'jsonrpc',
    fault: 'a page size that is no number passes as none',
    breaks: badSizes,
    options: askingLists(['jsonrpc', 'http'], (fields) => withoutSize(fields, (size) => Number.isNaN(Number(size)))),
  },
  {
    id: 'WIRE-15',
    choice: 'jsonrpc',
    fault: 'a page size with a fraction is rounded down',
    breaks: badSizes,
    options: askingLists(['jsonrpc', 'http'], (fields) => {
      const size = Number(fields.pageSize);
      return Number.isFinite(size) && !Number.isInteger(size) ? { ...fields, pageSize: Math.floor(size) } : fields;
    }),
  },
  {
    id: 'WIRE-17',
    fault: 'HTTP+JSON takes a page size of zero for none',
    breaks: badSizes,
    options: askingLists(['http'], (fields) => withoutSize(fields, (size) => Number(size) === 0)),
  },
  {
    id: 'WIRE-17-range',
    choice: 'grpc',
    fault: 'gRPC cuts a page size to a hundred',
    breaks: badSizes,
    options: listing(['grpc'], (params) => ({ ...params, pageSize: Math.min(params.pageSize ?? 50, 100) })),
  },
  {
    id: 'WIRE-17-default',
    choice: 'jsonrpc',
    fault: 'a page without a size has twenty tasks',
    breaks: ['WIRE-5'],
    options: listing(everywhere, (params) => (params.pageSize === undefined ? { ...params, pageSize: 20 } : params)),
  },
  {
    id: 'WIRE-18',
    choice: 'jsonrpc',
    fault: 'an empty page token over JSON-RPC is a token like any other',
    breaks: ['TOKEN-1', 'WIRE-1', 'WIRE-4', 'FILTER-1'],
    options: askingLists(['jsonrpc'], (fields) => (fields.pageToken === '' ? { ...fields, pageToken: ' ' } : fields)),
  },
  {
    id: 'WIRE-20',
    choice: 'jsonrpc',
    fault: 'a flag that says "false" means true',
    breaks: ['WIRE-4'],
    options: askingLists(['jsonrpc'], (fields) =>
      typeof fields.includeArtifacts === 'string' ? { ...fields, includeArtifacts: true } : fields,
    ),
  },
  {
    id: 'WIRE-21',
    fault: 'a bad token over gRPC is an internal error',
    breaks: ['TOKEN-3', 'TOKEN-4', 'PUSH-1', 'WIRE-1', 'WIRE-3'],
    options: handling(['grpc'], (handler) => ({
      listTasks: (params, context) =>
        handler.listTasks(params, context).catch((error: unknown) => {
          throw params.pageToken !== '' && error instanceof RequestMalformedError ? new Unforeseen() : error;
        }),
    })),
  },
  {
    id: 'WIRE-22',
    fault: 'gRPC cuts the filter on status times to milliseconds',
    breaks: ['FILTER-1', 'WIRE-1', 'COUNT-1', 'TOKEN-7', 'TOKEN-8', 'WALK-4', 'WALK-5'],
    options: listing(['grpc'], (params) => {
      const { statusTimestampAfter: after } = params;
      return after === undefined ? params : { ...params, statusTimestampAfter: new Date(after).toISOString() };
    }),
  },
  {
    id: 'WIRE-24',
    fault: 'gRPC wraps page tokens once more',
    breaks: ['TOKEN-7', 'WIRE-1', 'TOKEN-1', 'TOKEN-6', 'TOKEN-8', 'TOKEN-5'],
    options: listing(
      ['grpc'],
      (params) => ({ ...params, pageToken: params.pageToken === '' ? '' : unwrapped(params.pageToken) }),
      (page) => ({ ...page, nextPageToken: page.nextPageToken && Buffer.from(page.nextPageToken).toString('base64') }),
    ),
  },
  {
    id: 'WIRE-25',
    choice: 'http',
    fault: 'an answer of HTTP+JSON is kept for everybody who asks the same, until something is sent',
    breaks: [
      'COUNT-1',
      'WALK-1',
      'WALK-3',
      'WALK-4',
      'WALK-5',
      'TOKEN-5',
      'TOKEN-6',
      'TOKEN-7',
      'TOKEN-8',
      'AUTH-8',
      'WIRE-1',
      'WIRE-2',
      'WIRE-4',
      'FILTER-1',
      'ORDER-1',
      'ORDER-2',
      'WALK-2',
      'WALK-7',
      'PUSH-1',
    ],
    options: keepingAnswers(),
  },
  {
    id: 'WIRE-31',
    choice: 'http',
    fault: 'artifacts come unasked',
    breaks: ['WIRE-4'],
    options: listing(everywhere, (params) => ({ ...params, includeArtifacts: true })),
  },
  {
    id: 'WIRE-32',
    choice: 'http',
    fault: 'the history is never cut',
    breaks: ['WIRE-4'],
    options: listing(
      everywhere,
      ({ historyLength: _, ...params }) => params as typeof params & { historyLength: undefined },
    ),
  },
  {
    id: 'WIRE-33',
    choice: 'http',
    fault: 'a missing task is a bad request over HTTP+JSON',
    breaks: ['WIRE-3'],
    options: intercepting((request, response, next) => {
      if (request.path.startsWith('/http/tasks/')) {
        const status = response.status.bind(response);
        response.status = (code) => status(code === 404 ? 400 : code);
      }
      next();
    }),
  },
  {
    id: 'WIRE-34',
    choice: 'http',
    fault: 'an internal error comes with its stack',
    breaks: ['WIRE-3'],
    options: handling(['jsonrpc', 'http'], (handler) => ({
      listTasks: (params, context) => handler.listTasks(params, context).catch(withStack),
      getTask: (params, context) => handler.getTask(params, context).catch(withStack),
    })),
  },
  {
    id: 'WIRE-35',
    choice: 'grpc',
    fault: 'push configurations are listed for whoever knows the id of their task',
    breaks: ['AUTH-8', 'AUTH-9'],
    options: handling(everywhere, (handler) => ({
      listTaskPushNotificationConfigs: (params, context) =>
        handler.listTaskPushNotificationConfigs(params, context).catch((error: unknown) => {
          if (error instanceof TaskNotFoundError) return { configs: [], nextPageToken: '' };
          throw error;
        }),
    })),
  },
  {
    id: 'WIRE-36',
    choice: 'jsonrpc',
    fault: 'push configurations are listed in one page, whatever size is asked for',
    breaks: ['PUSH-1'],
    options: handling(everywhere, (handler) => ({
      listTaskPushNotificationConfigs: (params, context) =>
        handler.listTaskPushNotificationConfigs({ ...params, pageSize: 0 }, context),
    })),
  },
  {
    id: 'WIRE-37',
    choice: 'grpc',
    fault: 'the list of push configurations takes any token for none',
    breaks: ['PUSH-1'],
    options: handling(everywhere, (handler) => ({
      listTaskPushNotificationConfigs: (params, context) =>
        handler.listTaskPushNotificationConfigs({ ...params, pageToken: '' }, context),
    })),
  },
  {
    id: 'WIRE-38',
    choice: 'http',
    fault: 'a get over HTTP+JSON looks at no caller',
    breaks: ['AUTH-8', 'AUTH-9', 'WIRE-3'],
    options: intercepting((request, _response, next) => {
      if (request.method === 'GET' && /^\/http\/tasks\/[^/]+$/.test(request.path))
        request.headers.authorization = `Bearer ${Buffer.from(NO_CALLER).toString('base64url')}`;
      next();
    }),
  },
  {
    id: 'WIRE-71',
    fault: 'gRPC shows status times in milliseconds',
    breaks: ['WIRE-1'],
    options: listing(
      ['grpc'],
      (params) => params,
      (page) => ({
        ...page,
        tasks: page.tasks.map((task) => {
          const timestamp = task.status?.timestamp;
          return timestamp === undefined
            ? task
            : { ...task, status: { ...task.status!, timestamp: new Date(timestamp).toISOString() } };
        }),
      }),
    ),
  },
];

/** What the SDK's gRPC server has no better code for. */
class Unforeseen extends A2AError {
  readonly status: number = 13;

  constructor() {
    super('Internal error');
  }
}

function withoutSize(fields: Json, isDropped: (size: unknown) => boolean): Json {
  const { pageSize, ...rest } = fields;
  return pageSize !== undefined && isDropped(pageSize) ? rest : fields;
}

function unwrapped(token: string): string {
  const inner = Buffer.from(token, 'base64').toString();
  return inner.startsWith('v1.') ? inner : 'not wrapped';
}

/** Fails a call with words that were meant for a log. */
function withStack(error: unknown): never {
  if (error instanceof A2AError) throw error;
  throw new RequestMalformedError((error as Error).stack ?? '');
}

/** Keeps each answer by its path and query until something is sent to the agent. */
function keepingAnswers(): WireFault['options'] {
  const kept = new Map<string, Json>();
  return intercepting((request, response, next) => {
    if (request.method !== 'GET') kept.clear();
    if (request.method !== 'GET' || !request.path.startsWith('/http/tasks')) return next();
    const { originalUrl } = request;
    const body = kept.get(originalUrl);
    if (body !== undefined) return void response.json(body);
    onJson(response, (fresh) => {
      if (response.statusCode === 200) kept.set(originalUrl, fresh);
      return fresh;
    });
    next();
  });
}
