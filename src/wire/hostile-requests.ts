/** Requests that no honest client sends, for each transport, without end and reproducible from a seed. */
import { A2AService } from '@a2a-js/sdk/server/grpc';
import type { Fields, Shape } from './field-shapes.ts';
import { methodShapes, queryShapes } from './request-shapes.ts';

/** Bytes for the JSON-RPC path. */
export interface HostileBody {
  readonly body: Uint8Array;
  readonly contentType: string;
}

/** A request below the HTTP+JSON path. */
export interface HostileHttp extends HostileBody {
  readonly method: string;
  readonly path: string;
}

/** A gRPC call. */
export interface HostileGrpc {
  readonly path: string;
  readonly bytes: Buffer;
}

const JSON_TYPE = 'application/json';

/** Values that are wrong, or nearly right, for some field. */
const badValues: readonly unknown[] = [
  'abc',
  '',
  ' ',
  '5',
  '0x5',
  '__proto__',
  'TASK_STATE_BOGUS',
  '\ud800',
  'a\0b',
  'x'.repeat(20_000),
  0,
  -1,
  1.5,
  101,
  2 ** 31,
  1e308,
  true,
  [],
  [5],
  {},
  { __proto__: null, toString: 1 },
  { constructor: { prototype: 1 } },
  null,
];

const badTexts: readonly string[] = [
  '',
  '{',
  'null',
  '"text"',
  '[]',
  '[{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{}}]',
  '{"jsonrpc":"1.0","id":1,"method":"ListTasks","params":{}}',
  '{"jsonrpc":"2.0","id":{},"method":"ListTasks","params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":7,"params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"tasks/list","params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"__proto__","params":{}}',
  '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":[]}',
  '{"jsonrpc":"2.0","id":1,"method":"ListTasks"}',
  '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"__proto__":{"pageSize":5}}}',
  '\ufeff{}',
  '['.repeat(100_000),
  `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","metadata":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}}`,
];

const badPaths: readonly string[] = [
  '/tasks/%ff',
  '/tasks/%',
  '/tasks/%00',
  '/tasks/',
  '/tasks//pushNotificationConfigs',
  '/tenant/tasks',
  '/tasks?pageSize=5&pageSize=5',
  '/tasks?pageToken=a&pageToken=b',
  '/tasks?pageToken=%ff',
  '/tasks?%ff=1',
  '/tasks?pageSize=',
  '/tasks?pageSize=05',
  '/tasks?pageSize=+5',
  '/tasks?pageSize[]=5',
  '/tasks?status=BOGUS',
  '/tasks?status=-1',
  '/tasks?includeArtifacts=yes',
  '/tasks?historyLength=1.5',
  '/tasks?statusTimestampAfter=yesterday',
  `/tasks?pageToken=${'A'.repeat(100_000)}`,
  '/../etc/passwd',
  '/tasks/x:unknown',
  '/message:send/',
  `/${'a/'.repeat(500)}`,
];

/** Random numbers that are the same for the same seed (mulberry32). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function pick<T>(random: (below: number) => number, items: readonly T[]): T {
  return items[random(items.length)] as T;
}

/** Spells an object of this shape with one of its fields, perhaps a nested one, set to a bad value. */
function corrupt(shape: Fields, random: (below: number) => number): Record<string, unknown> {
  const names = Object.keys(shape.fields);
  const victim = pick(random, names);
  const filled = (shape.required ?? []).map((name) => [name, plain(shape.fields[name] as Shape)] as const);
  const field = shape.fields[victim] as Shape;
  const nested = typeof field === 'object' && 'fields' in field && random(2) === 0;
  return { ...Object.fromEntries(filled), [victim]: nested ? corrupt(field, random) : pick(random, badValues) };
}

function plain(shape: Shape): unknown {
  if (typeof shape === 'object')
    return 'list' in shape ? [] : Object.fromEntries((shape.required ?? []).map((n) => [n, 'x']));
  return shape === 'boolean' ? false : shape === 'int32' ? 1 : shape === 'struct' ? {} : 'x';
}

/** Flips, drops and doubles bytes. */
function damage(bytes: Buffer, random: (below: number) => number): Buffer {
  const copy = Buffer.from(bytes.length === 0 ? [0] : bytes);
  for (let n = random(4); n >= 0; n -= 1) copy[random(copy.length)] = random(256);
  const cut = random(3) === 0 ? copy.subarray(0, random(copy.length + 1)) : copy;
  return random(4) === 0 ? Buffer.concat([cut, copy]) : cut;
}

/** Bodies for JSON-RPC. */
export function* hostileJsonRpc(seed: number): Generator<HostileBody, never> {
  const random = randomFrom(seed);
  for (const text of badTexts) yield { body: Buffer.from(text), contentType: JSON_TYPE };
  const methods = [...methodShapes];
  for (;;) {
    const [method, shape] = pick(random, methods);
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: random(9), method, params: corrupt(shape, random) }));
    const contentType =
      random(20) === 0 ? pick(random, ['text/plain', 'application/json; charset=utf-16', ';', '']) : JSON_TYPE;
    yield { body: random(3) === 0 ? damage(body, random) : body, contentType };
  }
}

/** Requests for HTTP+JSON. */
export function* hostileHttp(seed: number): Generator<HostileHttp, never> {
  const random = randomFrom(seed);
  const none = { body: new Uint8Array(), contentType: JSON_TYPE };
  for (const path of badPaths) yield { ...none, method: 'GET', path };
  for (const text of badTexts)
    yield { body: Buffer.from(text), contentType: JSON_TYPE, method: 'POST', path: '/message:send' };
  const send = methodShapes.get('SendMessage') as Fields;
  const push = methodShapes.get('CreateTaskPushNotificationConfig') as Fields;
  for (;;) {
    switch (random(5)) {
      case 0: {
        const body = Buffer.from(JSON.stringify(corrupt(send, random)));
        yield { ...none, method: 'POST', path: '/message:send', body: random(3) === 0 ? damage(body, random) : body };
        break;
      }
      case 1:
        yield {
          ...none,
          method: 'POST',
          path: '/tasks/t/pushNotificationConfigs',
          body: Buffer.from(JSON.stringify(corrupt(push, random))),
        };
        break;
      case 2:
        yield {
          ...none,
          method: pick(random, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']),
          path: pick(random, badPaths),
        };
        break;
      default: {
        const field = pick(random, Object.keys(pick(random, Object.values(queryShapes)).fields));
        const value = pick(random, badValues);
        const text = typeof value === 'string' ? value.replaceAll('\ud800', '%ed%a0%80') : JSON.stringify(value);
        const escaped = text.includes('%') ? text : encodeURIComponent(text);
        yield {
          ...none,
          method: 'GET',
          path: `/tasks${pick(random, ['', '/t', '/t/pushNotificationConfigs'])}?${field}=${escaped}`,
        };
      }
    }
  }
}

/** Calls for gRPC. */
export function* hostileGrpc(seed: number): Generator<HostileGrpc, never> {
  const random = randomFrom(seed);
  const unary = Object.values(A2AService).filter(({ responseStream }) => !responseStream);
  const message = {
    messageId: 'm',
    contextId: '\ufeffc',
    taskId: 't',
    role: 1,
    parts: [],
    metadata: { a: { b: [1, 'x', null] } },
    extensions: [],
    referenceTaskIds: [],
  };
  const honest: readonly Buffer[] = [
    A2AService.sendMessage.requestSerialize({ tenant: '', message, configuration: undefined, metadata: undefined }),
    A2AService.listTasks.requestSerialize({
      tenant: 't',
      contextId: 'c',
      status: 2,
      pageSize: 5,
      pageToken: 'v1.1.YQ',
      historyLength: 1,
      statusTimestampAfter: '2026-01-01T00:00:00Z',
    }),
    A2AService.getTask.requestSerialize({ tenant: '', id: 'é', historyLength: -1 }),
  ];
  yield { path: '/lf.a2a.v1.A2AService/Nothing', bytes: Buffer.alloc(0) };
  for (const { path } of unary) {
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.alloc(64, 255),
      Buffer.from([10, 2, 0xc3, 0x28]),
      Buffer.from([10, 127]),
    ]) {
      yield { path, bytes };
    }
  }
  for (;;) yield { path: pick(random, unary).path, bytes: damage(pick(random, honest), random) };
}
