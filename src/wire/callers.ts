/** Who calls: bearer tokens and the callers that they stand for. */
import { createHash } from 'node:crypto';

/** Names the caller of an `Authorization` header; undefined where it names none. */
export type Authenticate = (authorization: string | undefined) => string | undefined;

const BEARER = /^Bearer +([^\s]+)$/i;

/**
 * Authenticates by a table from bearer token to caller. Tokens are compared by their digests, so that the time of a
 * comparison says nothing about how much of a guess was right. Throws a TypeError for an empty token or caller.
 */
export function bearerTable(table: Readonly<Record<string, string>>): Authenticate {
  const callers = new Map<string, string>();
  for (const [token, caller] of Object.entries(table)) {
    if (token === '' || caller === '') throw new TypeError('Neither a bearer token nor its caller may be empty');
    callers.set(digest(token), caller);
  }
  return (authorization) => {
    const token = BEARER.exec(authorization ?? '')?.[1];
    return token === undefined ? undefined : callers.get(digest(token));
  };
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64');
}
