/** Hostile requests of JSON-RPC, without end and reproducible from a seed. */
import type { Fields } from '../../wire/field-shapes.ts';
import { defaultLimits } from '../../wire/limits.ts';
import { methodShapes } from '../../wire/request-shapes.ts';
import { seededNumbers } from '../seeded-numbers.ts';
import { anything, damage, type Hostile, type Outcome, pick, type Random, under } from './hostile.ts';
import { brokenHttp, nested, notJson, PLAIN_HEADERS, strangeHeaders, strangeId } from './hostile-texts.ts';
import { badPageSizes, badToken, oddObject, plainValue, wrongObject } from './wrong-values.ts';

const PATH = '/jsonrpc';
const methods: readonly (readonly [string, Fields])[] = [...methodShapes];
const byTask = ['GetTask', 'CancelTask', 'GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'];

/** Hostile requests for the JSON-RPC path of an agent. */
export function* hostileJsonRpc(seed: number): Generator<Hostile, never> {
  const random = seededNumbers(seed);
  for (;;) yield next(random);
}

function next(random: Random): Hostile {
  const [method, shape] = pick(random, methods);
  switch (random(16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return call(`${method} with a field of a wrong type`, method, wrongObject(shape, random), ['invalid-argument']);
    case 4:
      return call(`${method} with an odd field`, method, oddObject(shape, random), anything);
    case 5:
      return call('a bad page size', 'ListTasks', { pageSize: pick(random, badPageSizes) }, ['invalid-argument']);
    case 6:
      return call('a bad page token', 'ListTasks', { pageToken: badToken(random, true) }, ['invalid-argument']);
    case 7:
      return call('an unknown method', unknownMethod(random), plainValue(shape), ['no-operation']);
    case 8:
      return post('no call of JSON-RPC 2.0', JSON.stringify(noCall(random)), ['no-call']);
    case 9:
      return post('a body that is no JSON', notJson(random), ['not-json']);
    case 10: {
      const body = JSON.stringify(envelope(random, method, oddObject(shape, random)));
      return post(`${method}, damaged`, damage(Buffer.from(body), random), anything);
    }
    case 11: {
      const id = strangeId(random);
      const wanted = { id: 'x', taskId: id, ...(method === 'GetTask' || method === 'CancelTask' ? { id } : {}) };
      return call('a task that nobody has', pick(random, byTask), { ...wanted, id }, ['not-found', 'invalid-argument']);
    }
    case 12: {
      const { headers, right } = strangeHeaders(random);
      return under(call('strange headers', 'ListTasks', {}, []), headers, right);
    }
    case 13:
      return wrongVerb(random);
    case 14:
      return random(10) === 0 ? brokenHttp(PATH, random) : deep(random);
    default:
      return random(100) === 0
        ? post('a body beyond the limit', Buffer.alloc(defaultLimits.bodyBytes + 1, 'x'), ['invalid-argument'])
        : call(`${method} without what it needs`, method, pick(random, [null, undefined, [], 'x', 5]), anything);
  }
}

function envelope(random: Random, method: unknown, params: unknown): object {
  return { jsonrpc: '2.0', id: pick(random, [1, 'a', null, random(2 ** 31)]), method, params };
}

function call(about: string, method: string, params: unknown, right: readonly Outcome[]): Hostile {
  return post(about, JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }), right);
}

function post(about: string, body: string | Uint8Array, right: readonly Outcome[]): Hostile {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { about, request: { kind: 'http', verb: 'POST', path: PATH, headers: PLAIN_HEADERS, body: bytes }, right };
}

function unknownMethod(random: Random): string {
  const names = [
    'tasks/list',
    'listTasks',
    'LISTTASKS',
    'ListTasks ',
    '',
    '__proto__',
    'constructor',
    'toString',
    'rpc.discover',
  ];
  return random(2) === 0 ? pick(random, names) : `M${random(2 ** 31).toString(36)}`;
}

function noCall(random: Random): unknown {
  const right = { jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} };
  const wrongs: readonly unknown[] = [
    null,
    5,
    'ListTasks',
    [],
    [right],
    {},
    { ...right, jsonrpc: '1.0' },
    { ...right, jsonrpc: 2 },
    { ...right, jsonrpc: undefined },
    { ...right, method: 7 },
    { ...right, method: null },
    { ...right, method: ['ListTasks'] },
    { ...right, id: {} },
    { ...right, id: [1] },
    { ...right, id: true },
    { ...right, id: 1.5 },
    { ...right, id: 2 ** 60 },
  ];
  return pick(random, wrongs);
}

function wrongVerb(random: Random): Hostile {
  const verb = pick(random, ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']);
  const path = pick(random, [PATH, `${PATH}/`, `${PATH}/tasks`, `${PATH}/%ff`]);
  const request = { kind: 'http', verb, path, headers: PLAIN_HEADERS, body: new Uint8Array() } as const;
  return { about: `${verb} ${path}`, request, right: ['no-call'] };
}

/** Within the depth that the agent takes, a little beyond it, and far beyond it. */
function deep(random: Random): Hostile {
  const depth = pick(random, [defaultLimits.depth * 2, 1_000, 5_000]);
  const message = `{"messageId":"m","parts":[],"metadata":${nested(depth)}}`;
  const body = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":${message}}}`;
  return post(`metadata ${depth} deep`, body, ['invalid-argument']);
}
