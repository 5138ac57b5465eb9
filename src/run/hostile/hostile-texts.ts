/** JSON texts, ids and headers that no honest client sends. */
import { type Hostile, type Outcome, pick, type Random } from './hostile.ts';

/** The headers that every request needs, but for the caller's. */
export const PLAIN_HEADERS: Readonly<Record<string, string>> = {
  'A2A-Version': '1.0',
  'Content-Type': 'application/json',
};

/** Bytes that are no JSON text in UTF-8. */
export function notJson(random: Random): Buffer {
  const invalid = pick(random, [
    [0xff],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xf8, 0x88, 0x80, 0x80, 0x80],
    [0xc0, 0x80],
  ]);
  const text = '{"jsonrpc":"2.0","id":1,"method":"ListTasks","params":{"contextId":"c"}}';
  switch (random(4)) {
    case 0:
      return Buffer.from(text.slice(0, 1 + random(text.length - 1)));
    case 1:
      return Buffer.concat([Buffer.from(text.slice(0, -4)), Buffer.from(invalid), Buffer.from('"}}')]);
    case 2:
      return Buffer.from(
        pick(random, [
          '{',
          '[',
          '\ufeff{}',
          "{'a':1}",
          '{"a":1,}',
          'NaN',
          'undefined',
          '<xml/>',
          '{}{}',
          '"\u0001"',
          '\0',
        ]),
      );
    default:
      return Buffer.from('['.repeat(1 + random(random(50) === 0 ? 100_000 : 500)));
  }
}

/** An object nested `depth` deep, as JSON text. */
export function nested(depth: number): string {
  return `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
}

/** An id that no task has; some can't be spelled in a path. */
export function strangeId(random: Random): string {
  const ids = [
    'x',
    '..',
    '.',
    ' ',
    'a/b',
    'a\0b',
    '%',
    '%2F',
    '\u202egnp',
    '\u{1f600}',
    'é',
    'e\u0301',
    '__proto__',
    'A'.repeat(5_000),
  ];
  return random(3) === 0 ? `id-${random(2 ** 31)}` : pick(random, ids);
}

/** Headers of another kind of caller: one whom nobody knows, or one who speaks another version or content type. */
export function strangeHeaders(random: Random): { headers: Record<string, string>; right: Outcome } {
  switch (random(3)) {
    case 0: {
      const bearers = [
        '',
        'Bearer',
        'Bearer ',
        'Bearer wrong',
        'Basic dG9r',
        'Bearer a b',
        `Bearer ${'x'.repeat(9_000)}`,
      ];
      return { headers: { Authorization: pick(random, bearers) }, right: 'unauthenticated' };
    }
    case 1:
      return {
        headers: { 'A2A-Version': pick(random, ['', '0.3', '2.0', '1', '1.00', '1.0, 1.0', 'x']) },
        right: 'version',
      };
    default: {
      const types = [
        'text/plain',
        'application/json; charset=utf-16',
        ';',
        '*/*',
        'application/jsonx',
        'multipart/form-data',
      ];
      return { headers: { 'Content-Type': pick(random, types) }, right: 'content-type' };
    }
  }
}

/** Bytes on a connection of HTTP that are no request, or two at once. */
export function brokenHttp(path: string, random: Random): Hostile {
  const auth = 'Host: x\r\nAuthorization: Bearer @bearer\r\nA2A-Version: 1.0\r\n';
  const texts: readonly string[] = [
    '\0\0\0 nonsense\r\n\r\n',
    'GET\r\n\r\n',
    `GET ${path} HTTP/9.9\r\n${auth}\r\n`,
    `GET ${path} HTTP/1.1\r\n${auth}Broken header\r\n\r\n`,
    `GET ${path} HTTP/1.1\r\n${auth}X: ${'y'.repeat(400_000)}\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${auth}Content-Length: 5\r\nContent-Length: 6\r\n\r\n{}`,
    `POST ${path} HTTP/1.1\r\n${auth}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    `POST ${path} HTTP/1.1\r\n${auth}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`,
    `POST ${path} HTTP/1.1\r\n${auth}Content-Length: -1\r\n\r\n`,
    `POST ${path} HTTP/1.1\r\n${auth}Content-Length: 9${'9'.repeat(30)}\r\n\r\n`,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    `B${random(10)}D${' '.repeat(random(5))}${path} HTTP/1.1\r\n${auth}\r\n`,
  ];
  const bytes = Buffer.from(pick(random, texts), 'latin1');
  return { about: 'bytes that are no HTTP', request: { kind: 'bytes', bytes }, right: ['malformed'] };
}
