/** Hostile requests of HTTP+JSON, without end and reproducible from a seed. */
import type { Fields } from '../../wire/field-shapes.ts';
import { defaultLimits } from '../../wire/limits.ts';
import { cancelBodyShape, pushConfigShape, queryShapes, sendShape } from '../../wire/request-shapes.ts';
import { seededNumbers } from '../seeded-numbers.ts';
import { anything, damage, type Hostile, type Outcome, pick, type Random, under } from './hostile.ts';
import { brokenHttp, nested, notJson, PLAIN_HEADERS, strangeHeaders, strangeId } from './hostile-texts.ts';
import { badPageSizes, badToken, oddObject, wrongObject, wrongText } from './wrong-values.ts';

const ROOT = '/http';
const invalid: readonly Outcome[] = ['invalid-argument'];
const missing: readonly Outcome[] = ['not-found', 'invalid-argument'];

const posts: readonly (readonly [path: string, shape: Fields])[] = [
  ['/message:send', sendShape],
  ['/message:stream', sendShape],
  ['/tasks/t:cancel', cancelBodyShape],
  ['/tasks/t/pushNotificationConfigs', pushConfigShape],
];

const queries: readonly (readonly [path: string, shape: Fields])[] = [
  ['/tasks', queryShapes.list],
  ['/tasks/t', queryShapes.get],
  ['/tasks/t/pushNotificationConfigs', queryShapes.listPushConfigs],
];

/** Hostile requests below the HTTP+JSON path of an agent. */
export function* hostileHttp(seed: number): Generator<Hostile, never> {
  const random = seededNumbers(seed);
  for (;;) yield next(random);
}

function next(random: Random): Hostile {
  const [path, shape] = pick(random, posts);
  switch (random(16)) {
    case 0:
    case 1:
    case 2:
      return post(`${path} with a field of a wrong type`, path, JSON.stringify(wrongObject(shape, random)), invalid);
    case 3:
      return post(`${path} with an odd field`, path, JSON.stringify(oddObject(shape, random)), anything);
    case 4:
    case 5:
    case 6:
      return wrongQuery(random);
    case 7:
      return get('a bad page size', `/tasks?pageSize=${pick(random, badPageSizes)}`, invalid);
    case 8:
      return get('a bad page token', `/tasks?pageToken=${encodeText(badToken(random, false))}`, invalid);
    case 9:
      return repeated(random);
    case 10:
      return random(2) === 0
        ? get('a query that is no UTF-8', `/tasks?${pick(random, badQueries)}`, invalid)
        : request('a path that is none', verb(random), pick(random, badPaths), missing);
    case 11:
      return post('a body that is no JSON', path, notJson(random), ['invalid-argument']);
    case 12:
      return post(
        `${path}, damaged`,
        path,
        damage(Buffer.from(JSON.stringify(oddObject(shape, random))), random),
        anything,
      );
    case 13: {
      const id = encodeText(strangeId(random)).replace(/^\.+$/, (dots) => '%2E'.repeat(dots.length));
      const below = pick(random, ['', ':cancel', '/pushNotificationConfigs', '/pushNotificationConfigs/x']);
      return request('a task that nobody has', below === ':cancel' ? 'POST' : 'GET', `/tasks/${id}${below}`, missing);
    }
    case 14: {
      const { headers, right } = strangeHeaders(random);
      return under(get('strange headers', '/tasks', []), headers, right);
    }
    default:
      return rare(random);
  }
}

function rare(random: Random): Hostile {
  switch (random(100)) {
    case 0:
      return post('a body beyond the limit', '/message:send', Buffer.alloc(defaultLimits.bodyBytes + 1, 'x'), invalid);
    case 1:
      return get('a token of a megabyte', `/tasks?pageToken=${'A'.repeat(1024 * 1024)}`, [
        'invalid-argument',
        'malformed',
      ]);
    case 2:
    case 3:
    case 4:
      return brokenHttp(`${ROOT}/tasks`, random);
    case 5:
      return get('a long path', `/${'a/'.repeat(5_000)}`, ['not-found']);
    default: {
      const depth = pick(random, [defaultLimits.depth * 2, 1_000, 5_000]);
      const message = `{"messageId":"m","parts":[],"metadata":${nested(depth)}}`;
      return post(`metadata ${depth} deep`, '/message:send', `{"message":${message}}`, invalid);
    }
  }
}

function wrongQuery(random: Random): Hostile {
  const [path, shape] = pick(random, queries);
  const [name, kind] = pick(random, Object.entries(shape.fields));
  const value = wrongText(kind, random);
  if (value === undefined) return get(`an odd ${name}`, `${path}?${name}=${encodeText(strangeId(random))}`, anything);
  return get(`a wrong ${name}`, `${path}?${name}=${value}`, invalid);
}

function repeated(random: Random): Hostile {
  const [path, shape] = pick(random, queries);
  const name = pick(random, Object.keys(shape.fields));
  const pairs = Array.from({ length: 2 + random(4) }, () => `${name}=${1 + random(9)}`);
  return get(`${name} ${pairs.length} times`, `${path}?${pairs.join('&')}`, invalid);
}

const badQueries: readonly string[] = [
  'pageToken=%ff',
  '%ff=1',
  'contextId=%c3%28',
  'contextId=%ed%a0%80',
  'contextId=%',
  'x=%zz',
];

const badPaths: readonly string[] = [
  '/tasks/%ff',
  '/tasks/%',
  '/tasks/%00',
  '/tasks/',
  '/tasks/?pageSize=5',
  '/tasks//pushNotificationConfigs',
  '/tenant/tasks/t',
  '/../etc/passwd',
  '/tasks/x:unknown',
  '/tasks/x/pushNotificationConfigs/y/z',
  '/nothing',
  '//',
  '/TASKS/%2e%2e%2f',
  '/message:nothing',
];

function verb(random: Random): string {
  return pick(random, ['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);
}

/** Percent-encodes a text, also one that is no Unicode. */
function encodeText(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

function get(about: string, path: string, right: readonly Outcome[]): Hostile {
  return request(about, 'GET', path, right);
}

function post(about: string, path: string, body: string | Uint8Array, right: readonly Outcome[]): Hostile {
  return request(about, 'POST', path, right, typeof body === 'string' ? Buffer.from(body) : body);
}

function request(
  about: string,
  verb: string,
  path: string,
  right: readonly Outcome[],
  body: Uint8Array = new Uint8Array(),
): Hostile {
  return { about, request: { kind: 'http', verb, path: ROOT + path, headers: PLAIN_HEADERS, body }, right };
}
