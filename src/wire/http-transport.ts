/** HTTP+JSON: our checks of the raw request, two routes of our own, then the SDK's server. */
import { ListTaskPushNotificationConfigsResponse, Task } from '@a2a-js/sdk';
import { ContentTypeNotSupportedError, restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors';
import { type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { restHandler } from '@a2a-js/sdk/server/express';
import { type ErrorRequestHandler, type Request, type RequestHandler, Router } from 'express';
import { InvalidArgumentError } from '../task/errors.ts';
import { PROTOCOL_VERSION } from './agent-card.ts';
import { conform, type Fields } from './field-shapes.ts';
import { readJsonBody } from './http-body.ts';
import { type ErrorWriter, type FrontOptions, frontUser, httpFront } from './http-front.ts';
import { isJsonContent } from './media-type.ts';
import { readQuery } from './query.ts';
import { cancelBodyShape, pushConfigShape, queryShapes, sendShape } from './request-shapes.ts';
import { toTransportError } from './transport-error.ts';

/** What the transport needs. */
export interface HttpOptions extends Omit<FrontOptions, 'errors'> {
  readonly handler: A2ARequestHandler;
  readonly bodyBytes: number;
}

const CONTENT_TYPE = 'application/a2a+json';
const ACCEPTED = ['application/json', CONTENT_TYPE];

/**
 * Serves HTTP+JSON below one path. Only the routes named here reach the SDK: it has others, under a tenant in the path,
 * that would pass our checks by.
 */
export function httpTransport({ handler, bodyBytes, ...front }: HttpOptions): RequestHandler {
  // Strict, so that `/tasks/`, a task of empty id, is no list of tasks.
  const router = Router({ strict: true });
  const sdk = restHandler({ requestHandler: handler, userBuilder: frontUser });
  const query =
    (shape: Fields): RequestHandler =>
    (request, _response, next) => {
      readQuery(request.url, shape);
      next();
    };
  const body =
    (shape: Fields): RequestHandler =>
    (request, _response, next) => {
      request.body = conform(request.body ?? {}, shape, 'body');
      next();
    };

  router.use(httpFront({ ...front, errors }), readBody(bodyBytes));
  router.post(['/message\\:send', '/message\\:stream'], body(sendShape), sdk);
  router.get('/tasks', query(queryShapes.list), sdk);
  router.get('/extendedAgentCard', sdk);
  router.post('/tasks/:taskId\\:subscribe', sdk);
  router.get('/tasks/:taskId\\:subscribe', sdk);

  // The SDK drops the metadata of a cancel over HTTP+JSON.
  router.post('/tasks/:taskId\\:cancel', body(cancelBodyShape), async (request, response) => {
    const { metadata } = request.body as { readonly metadata?: Record<string, unknown> };
    const id = request.params.taskId as string;
    const task = await handler.cancelTask({ tenant: '', id, metadata }, await contextOf(request));
    response.type(CONTENT_TYPE).json(Task.toJSON(task));
  });

  router.get('/tasks/:taskId', query(queryShapes.get), sdk);
  router.post('/tasks/:taskId/pushNotificationConfigs', body(pushConfigShape), sdk);

  // The SDK never passes on the page size and token of this list.
  router.get('/tasks/:taskId/pushNotificationConfigs', async (request, response) => {
    const { pageSize = 0, pageToken = '' } = readQuery(request.url, queryShapes.listPushConfigs);
    const page = await handler.listTaskPushNotificationConfigs(
      {
        tenant: '',
        taskId: request.params.taskId as string,
        pageSize: pageSize as number,
        pageToken: pageToken as string,
      },
      await contextOf(request),
    );
    const json = ListTaskPushNotificationConfigsResponse.toJSON(page) as object;
    response.type(CONTENT_TYPE).json({ configs: [], nextPageToken: '', ...json });
  });

  router.get('/tasks/:taskId/pushNotificationConfigs/:configId', sdk);
  router.delete('/tasks/:taskId/pushNotificationConfigs/:configId', sdk);
  router.use((_request, response) => errors.http(response, 404, 'NOT_FOUND', 'Not found'));
  router.use(answerError);
  return router;
}

function readBody(bodyBytes: number): RequestHandler {
  return async (request, response, next) => {
    if (!isJsonContent(request.headers['content-type'], ACCEPTED)) {
      return errors.a2a(response, new ContentTypeNotSupportedError());
    }
    request.body = await readJsonBody(request, bodyBytes);
    next();
  };
}

async function contextOf(request: Request): Promise<ServerCallContext> {
  return new ServerCallContext({ user: await frontUser(request), requestedVersion: PROTOCOL_VERSION });
}

const errors: ErrorWriter = {
  a2a(response, error) {
    const status = restStatusFor(error);
    response.status(status).type(CONTENT_TYPE).json(toRestErrorBody(error, status));
  },
  http(response, status, statusName, message) {
    const error = { code: status, status: statusName, message, details: [] };
    response.status(status).type(CONTENT_TYPE).json({ error });
  },
};

const answerError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (response.headersSent) response.end();
  // Express reports a path that is no percent-encoded UTF-8 as this error, with the path in its words.
  else if (error instanceof URIError)
    errors.a2a(response, toTransportError('http', new InvalidArgumentError('Invalid path')));
  else errors.a2a(response, toTransportError('http', error));
};
