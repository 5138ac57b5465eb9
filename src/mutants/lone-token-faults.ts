/** Rows of our own, TOK-71 and on: faults of tokens that break one rule alone. */
import { pageTokenV1 } from '../token/page-token.ts';
import type { CodecFault } from './codec-fault.ts';

const MARK = 'and-after';
const WRAPPING = 'page:';

/** In the order of the rules. */
export const loneTokenFaults: readonly CodecFault[] = [
  {
    id: 'TOK-71',
    fault: 'tokens are given in a wrapping that no version has, and taken with it and without',
    breaks: ['TOKEN-2'],
    codec: {
      encode: (cursor) => `${WRAPPING}${pageTokenV1.encode(cursor)}`,
      decode: (token) => pageTokenV1.decode(token.startsWith(WRAPPING) ? token.slice(WRAPPING.length) : token),
    },
  },
  {
    id: 'TOK-72',
    fault: 'the numbers 2 and 3 ask for the first page',
    breaks: ['TOKEN-3'],
    codec: {
      ...pageTokenV1,
      decode: (token) =>
        /^[23]$/.test(token) ? { id: '\u{10ffff}', lastUpdatedMicros: 2n ** 63n - 1n } : pageTokenV1.decode(token),
    },
  },
  {
    id: 'TOK-73',
    fault: 'a token names an id that no task has, which the store takes for that of its boundary',
    breaks: ['TOKEN-6'],
    codec: {
      encode: ({ id, lastUpdatedMicros }) => pageTokenV1.encode({ id: `${id}${MARK}`, lastUpdatedMicros }),
      decode: (token) => {
        const { id, lastUpdatedMicros } = pageTokenV1.decode(token);
        return { id: id.length > MARK.length && id.endsWith(MARK) ? id.slice(0, -MARK.length) : id, lastUpdatedMicros };
      },
    },
  },
];
