/** Codecs that take what no v1 token is, refuse what one is, or refuse in more than one way. */
import { InvalidArgumentError } from '../task/errors.ts';
import { type PageTokenCodec, pageTokenV1 } from '../token/page-token.ts';
import { type CodecFault, reading, refusesOwnToken, rewriting } from './codec-fault.ts';

/** The id field of a token whose first two fields may be anything. */
const ID_FIELD = /(?<=^v1\.[^.]*\.)[^.]*$/;

function refusing(message: (token: string) => string): PageTokenCodec {
  return {
    ...pageTokenV1,
    decode: (token) => {
      try {
        return pageTokenV1.decode(token);
      } catch {
        throw new InvalidArgumentError(message(token));
      }
    },
  };
}

/** In the order of their rows. */
export const tokenSpellingFaults: readonly CodecFault[] = [
  {
    id: 'TOK-05',
    fault: 'the version is not looked at',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) => token.replace(/^v[0-9]+\./, 'v1.')),
  },
  {
    id: 'TOK-21',
    fault: 'characters outside the alphabet are skipped',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) => token.replace(ID_FIELD, (id) => id.replace(/[^A-Za-z0-9_+/=-]/g, ''))),
  },
  {
    id: 'TOK-22',
    fault: 'padding and trailing bits are accepted',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) =>
      token.replace(ID_FIELD, (id) =>
        /^[A-Za-z0-9_-]*={0,2}$/.test(id) ? Buffer.from(id, 'base64url').toString('base64url') : id,
      ),
    ),
  },
  {
    id: 'TOK-23',
    fault: "the standard alphabet is used, with '+' and '/'",
    breaks: ['TOKEN-2', 'TOKEN-4', 'TOKEN-7'],
    codec: {
      encode: (cursor) =>
        pageTokenV1.encode(cursor).replace(ID_FIELD, (id) => id.replaceAll('-', '+').replaceAll('_', '/')),
      decode: (token) =>
        pageTokenV1.decode(
          token.replace(ID_FIELD, (id) => id.replace(/[-_]/g, '!').replaceAll('+', '-').replaceAll('/', '_')),
        ),
    },
  },
  {
    id: 'TOK-33',
    fault: 'the longest token is shorter than the longest id',
    breaks: refusesOwnToken,
    codec: reading((cursor) => (Buffer.byteLength(cursor.id) > 2048 ? undefined : cursor)),
  },
  {
    id: 'TOK-36',
    fault: 'each way in which a token is wrong has a message of its own',
    breaks: ['TOKEN-4'],
    codec: refusing((token) => {
      if (!token.startsWith('v1.')) return 'Unsupported page token version';
      return ID_FIELD.test(token) ? 'Malformed page token' : 'Incomplete page token';
    }),
  },
  {
    id: 'TOK-37',
    fault: 'the error repeats the token',
    breaks: ['TOKEN-4'],
    codec: refusing((token) => `Invalid page token: ${token}`),
  },
];
