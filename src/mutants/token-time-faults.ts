/** Codecs that get the time wrong. */
import { pageTokenV1 } from '../token/page-token.ts';
import {
  type CodecFault,
  reading,
  refusesOwnToken,
  rewriting,
  slips,
  slipsDown,
  slipsUp,
  spellV1,
  writing,
} from './codec-fault.ts';

function lenientInteger(text: string): string {
  try {
    return String(BigInt(text));
  } catch {
    return text;
  }
}

/** In the order of their rows. */
export const tokenTimeFaults: readonly CodecFault[] = [
  {
    id: 'TOK-09',
    fault: 'the time is floored to milliseconds',
    breaks: [...slipsDown, 'TOKEN-1', 'TOKEN-6', 'ORDER-1'],
    codec: writing(({ lastUpdatedMicros: time, id }) => ({
      lastUpdatedMicros: time - (((time % 1000n) + 1000n) % 1000n),
      id,
    })),
  },
  {
    id: 'TOK-11',
    fault: 'the time goes through a double',
    breaks: [...slips, 'TOKEN-1', 'TOKEN-6'],
    // The largest times become 2^63, which the decoder then refuses.
    codec: {
      ...pageTokenV1,
      encode: ({ lastUpdatedMicros, id }) => spellV1(BigInt(Number(lastUpdatedMicros)), Buffer.from(id)),
    },
  },
  {
    id: 'TOK-12',
    fault: 'the time goes through a Date, which ends before 64 bits do',
    breaks: refusesOwnToken,
    // An invalid Date has the time NaN, at which BigInt throws a RangeError.
    codec: reading(({ lastUpdatedMicros, id }) => {
      const date = new Date(Number(lastUpdatedMicros / 1000n));
      return { lastUpdatedMicros: BigInt(date.getTime()) * 1000n + (lastUpdatedMicros % 1000n), id };
    }),
  },
  {
    id: 'TOK-14',
    fault: 'a time out of range is wrapped into it',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) =>
      token.replace(/^v1\.(-?[1-9][0-9]*)\./, (_, time) => `v1.${BigInt.asIntN(64, BigInt(time))}.`),
    ),
  },
  {
    id: 'TOK-15',
    fault: 'negative times are refused, though the store gives them',
    breaks: refusesOwnToken,
    codec: reading((cursor) => (cursor.lastUpdatedMicros < 0n ? undefined : cursor)),
  },
  {
    id: 'TOK-16',
    fault: "the time's sign is lost",
    breaks: [...slipsUp, 'TOKEN-6'],
    codec: writing((cursor) => ({ ...cursor, lastUpdatedMicros: BigInt.asUintN(63, cursor.lastUpdatedMicros) })),
  },
  {
    id: 'TOK-18',
    fault: 'a missing time is read as 0',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) => token.replace(/^v1\.\./, 'v1.0.')),
  },
  {
    id: 'TOK-19',
    fault: 'integers are read leniently: spaces, signs, leading zeros, hexadecimal',
    breaks: ['TOKEN-4'],
    codec: rewriting((token) =>
      token.replace(/^v1\.([^.]{1,100})\./, (all, time) => (time.trim() === '' ? all : `v1.${lenientInteger(time)}.`)),
    ),
  },
];
