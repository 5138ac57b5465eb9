/** Hostile calls of gRPC, without end and reproducible from a seed. */
import { A2AService } from '@a2a-js/sdk/server/grpc';
import { encodeListRequest } from '../../wire/grpc-timestamps.ts';
import { defaultLimits } from '../../wire/limits.ts';
import { seededNumbers } from '../seeded-numbers.ts';
import { anything, damage, type Hostile, type Outcome, pick, type Random, under } from './hostile.ts';
import { strangeId } from './hostile-texts.ts';
import { badPageSizes, badToken } from './wrong-values.ts';

const invalid: readonly Outcome[] = ['invalid-argument'];
const methods = Object.values(A2AService).filter(({ responseStream }) => !responseStream);
const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  'a2a-version': '1.0',
  'content-type': 'application/grpc',
  te: 'trailers',
};

const emptyList = { tenant: '', contextId: '', status: 0, pageToken: '', statusTimestampAfter: undefined };
const message = {
  messageId: 'm',
  contextId: '\ufeffc',
  taskId: 't',
  role: 1,
  parts: [],
  metadata: { a: { b: [1, 'x', null] } },
  extensions: ['e'],
  referenceTaskIds: ['r'],
};
const honest: readonly (readonly [method: { readonly path: string }, bytes: Buffer])[] = [
  [
    A2AService.sendMessage,
    A2AService.sendMessage.requestSerialize({ tenant: '', message, configuration: undefined, metadata: undefined }),
  ],
  [
    A2AService.listTasks,
    encodeListRequest({
      tenant: 't',
      contextId: 'c',
      status: 2,
      pageSize: 5,
      pageToken: 'v1.1.YQ',
      historyLength: 1,
      statusTimestampAfter: '2026-01-01T00:00:00Z',
    }),
  ],
  [A2AService.getTask, A2AService.getTask.requestSerialize({ tenant: '', id: 'é', historyLength: 1 })],
];

/** Hostile calls for the gRPC port of an agent. */
export function* hostileGrpc(seed: number): Generator<Hostile, never> {
  const random = seededNumbers(seed);
  for (;;) yield next(random);
}

function next(random: Random): Hostile {
  const { path } = pick(random, methods);
  switch (random(12)) {
    case 0:
      return list('a bad page size', { pageSize: pick(random, badPageSizes) });
    case 1:
      return list('a bad page token', { pageToken: badToken(random, true) });
    case 2:
      return list('a negative length of history', { historyLength: -1 - random(2 ** 31 - 1) });
    case 3:
      return call(
        'a status that is none',
        A2AService.listTasks.path,
        varint(3, pick(random, [99, 2 ** 31 - 1])),
        invalid,
      );
    case 4:
      return call('bytes that are no message', path, pick(random, noMessages), invalid);
    case 5: {
      const [method, bytes] = pick(random, honest);
      return call('a damaged message', method.path, damage(bytes, random), anything);
    }
    case 6: {
      const [, bytes] = pick(random, honest);
      return call("another method's message", path, bytes, anything);
    }
    case 7:
      return missingTask(random);
    case 8:
      return strange(random);
    case 9:
      return call('an unknown method', unknownPath(random), Buffer.alloc(0), ['no-operation']);
    case 10:
      return badFrame(path, random);
    default:
      return random(100) === 0
        ? tooLarge(path)
        : call('a time beyond the calendar', A2AService.listTasks.path, badTime(random), invalid);
  }
}

function list(about: string, fields: object): Hostile {
  return call(about, A2AService.listTasks.path, encodeListRequest({ ...emptyList, ...fields } as never), invalid);
}

/** Broken in their first field, whatever the message: no UTF-8, cut off, a length without end, a field of number 0. */
const noMessages: readonly Buffer[] = [
  Buffer.alloc(64, 255),
  Buffer.from([10, 2, 0xc3, 0x28]),
  Buffer.from([10, 3, 0xed, 0xa0, 0x80]),
  Buffer.from([10, 127]),
  Buffer.from([10, 0xff, 0xff, 0xff, 0xff, 0x0f]),
  Buffer.from([0x08]),
  Buffer.from([0, 1]),
  Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
];

function varint(field: number, value: number): Buffer {
  const bytes = [field << 3];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** A filter whose seconds or nanoseconds lie outside what a timestamp may hold. */
function badTime(random: Random): Buffer {
  const inner = pick(random, [varint(1, 253_402_300_800), varint(2, 1_000_000_000), varint(1, 2 ** 52)]);
  return Buffer.concat([Buffer.from([(7 << 3) | 2, inner.length]), inner]);
}

function missingTask(random: Random): Hostile {
  const id = strangeId(random);
  const right: readonly Outcome[] = ['not-found', 'invalid-argument'];
  const { getTask, cancelTask, listTaskPushNotificationConfigs } = A2AService;
  const calls: readonly (readonly [string, Buffer])[] = [
    [getTask.path, getTask.requestSerialize({ tenant: '', id, historyLength: undefined })],
    [cancelTask.path, cancelTask.requestSerialize({ tenant: '', id, metadata: undefined })],
    [
      listTaskPushNotificationConfigs.path,
      listTaskPushNotificationConfigs.requestSerialize({ tenant: '', taskId: id, pageSize: 0, pageToken: '' }),
    ],
  ];
  const [path, bytes] = pick(random, calls);
  return call('a task that nobody has', path, bytes, right);
}

function strange(random: Random): Hostile {
  const bearers = ['Bearer', 'Bearer wrong', 'Basic dG9r', 'Bearer a b', `Bearer ${'x'.repeat(3_000)}`];
  const plain = call('strange metadata', A2AService.listTasks.path, Buffer.alloc(0), []);
  return random(2) === 0
    ? under(plain, { authorization: pick(random, bearers) }, 'unauthenticated')
    : under(plain, { 'a2a-version': pick(random, ['0.3', '2.0', '1.00', 'x']) }, 'unsupported');
}

function unknownPath(random: Random): string {
  const paths = [
    '/lf.a2a.v1.A2AService/Nothing',
    '/a2a.v1.A2AService/ListTasks',
    '/',
    '/x',
    '/lf.a2a.v1.A2AService/__proto__',
    '/../ListTasks',
  ];
  return random(2) === 0 ? pick(random, paths) : `/lf.a2a.v1.A2AService/M${random(2 ** 31).toString(36)}`;
}

/** What gRPC itself refuses before there is a message: its own statuses, and no more of them. */
function badFrame(path: string, random: Random): Hostile {
  const frames: readonly Buffer[] = [
    Buffer.from([1, 0, 0, 0, 0]),
    Buffer.from([0, 0, 0, 0, 9, 10]),
    Buffer.from([0, 0, 0]),
    Buffer.from([7, 0, 0, 0, 1, 0]),
    Buffer.from([0, 0xff, 0xff, 0xff, 0xff]),
    Buffer.alloc(0),
    Buffer.concat([framed(Buffer.alloc(0)), framed(Buffer.alloc(0))]),
  ];
  const request = { kind: 'grpc', path, headers: PLAIN_HEADERS, data: pick(random, frames) } as const;
  return { about: 'a broken frame', request, right: [...anything, 'framing', 'too-large'] };
}

function tooLarge(path: string): Hostile {
  return call('a message beyond the limit', path, Buffer.alloc(defaultLimits.bodyBytes + 1, 10), ['too-large']);
}

function call(about: string, path: string, bytes: Buffer, right: readonly Outcome[]): Hostile {
  return { about, request: { kind: 'grpc', path, headers: PLAIN_HEADERS, data: framed(bytes) }, right };
}

function framed(bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
