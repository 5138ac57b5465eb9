/** What a hostile request is: plain data, so that it can be told, sent for several callers, and judged. */

/** A request by the ways it can go out. `@bearer` in the text of `bytes` stands for the caller's token. */
export type HostileRequest =
  | {
      readonly kind: 'http';
      readonly verb: string;
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Uint8Array;
    }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | {
      readonly kind: 'grpc';
      readonly path: string;
      readonly headers: Readonly<Record<string, string>>;
      /** What goes out as the call's data: one framed message, or what pretends to be one. */
      readonly data: Buffer;
    };

/** What an answer says, by one name on all transports; gRPC has one status for `unsupported` and `version`. */
export type Outcome =
  | 'answer'
  | 'not-json'
  | 'no-call'
  | 'no-operation'
  | 'invalid-argument'
  | 'not-found'
  | 'unsupported'
  | 'content-type'
  | 'version'
  | 'unauthenticated'
  | 'malformed'
  | 'too-large'
  | 'framing';

/** A request, what is wrong with it in words, and the outcomes that are right for it. */
export interface Hostile {
  readonly about: string;
  readonly request: HostileRequest;
  readonly right: readonly Outcome[];
}

/** What a request that only looks damaged may come to: it may mean something after all. */
export const anything: readonly Outcome[] = [
  'answer',
  'not-json',
  'no-call',
  'no-operation',
  'invalid-argument',
  'not-found',
  'unsupported',
];

/** A source of chosen numbers, from 0 to below a bound. */
export type Random = (below: number) => number;

/** Chooses one of some. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[random(items.length)] as T;
}

/** The same request with other headers. */
export function under(hostile: Hostile, headers: Readonly<Record<string, string>>, right: Outcome): Hostile {
  const { request } = hostile;
  if (request.kind === 'bytes') return hostile;
  return { ...hostile, request: { ...request, headers: { ...request.headers, ...headers } }, right: [right] };
}

/** Flips, drops and doubles bytes. */
export function damage(bytes: Uint8Array, random: Random): Buffer {
  const copy = Buffer.from(bytes.length === 0 ? [0] : bytes);
  for (let n = random(4); n >= 0; n -= 1) copy[random(copy.length)] = random(256);
  const cut = random(3) === 0 ? copy.subarray(0, random(copy.length + 1)) : copy;
  return random(4) === 0 ? Buffer.concat([cut, copy]) : cut;
}
