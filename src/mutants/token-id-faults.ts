/** Codecs that lose a part of some ids. */
import { type PageTokenCodec, pageTokenV1 } from '../token/page-token.ts';
import { type CodecFault, reading, refuse, refusesOwnToken, slips, slipsDown, spellV1 } from './codec-fault.ts';

function readingId(change: (id: string) => string): PageTokenCodec {
  return reading((cursor) => ({ ...cursor, id: change(cursor.id) }));
}

function readingBytes(length: (bytes: Buffer, id: string) => number): PageTokenCodec {
  return readingId((id) => {
    const bytes = Buffer.from(id);
    return bytes.subarray(0, length(bytes, id)).toString();
  });
}

/** In the order of their rows. */
export const tokenIdFaults: readonly CodecFault[] = [
  {
    id: 'TOK-07',
    fault: 'time and id are split at a delimiter that ids may hold, into exactly two parts',
    breaks: refusesOwnToken,
    codec: reading((cursor) => (`time_${cursor.id}`.split('_').length === 2 ? cursor : undefined)),
  },
  {
    id: 'TOK-08',
    fault: 'time and id are split at a delimiter that ids may hold, and only the first part of the id is kept',
    breaks: [...slipsDown, 'ORDER-1'],
    codec: readingId((id) => id.split('|')[0]!),
  },
  {
    id: 'TOK-26',
    fault: 'the id is written in Latin-1, higher code units cut to one byte',
    breaks: [...slips, 'TOKEN-4', 'TOKEN-6'],
    codec: {
      encode: ({ lastUpdatedMicros, id }) => spellV1(lastUpdatedMicros, Buffer.from(id, 'latin1')),
      decode: (token) => {
        // Every byte is a letter: the grammar is v1's, but nothing is wrong as UTF-8.
        const [version, time = '', text = '', ...rest] = token.split('.');
        const bytes = Buffer.from(text, 'base64url');
        if (version !== 'v1' || rest.length > 0 || bytes.toString('base64url') !== text) return refuse();
        return pageTokenV1.decode(spellV1(time, Buffer.from(bytes.toString('latin1'))));
      },
    },
  },
  {
    id: 'TOK-28',
    fault: 'the id is cut at its first NUL',
    breaks: slipsDown,
    codec: readingId((id) => id.split('\0')[0]!),
  },
  { id: 'TOK-29', fault: 'the id is trimmed', breaks: slips, codec: readingId((id) => id.trim()) },
  { id: 'TOK-30', fault: 'the id is normalised to NFC', breaks: slips, codec: readingId((id) => id.normalize('NFC')) },
  {
    id: 'TOK-32',
    fault: "the id's length is kept in one byte",
    breaks: slipsDown,
    codec: readingBytes((bytes) => bytes.length & 0xff),
  },
  {
    id: 'TOK-32-units',
    fault: "the id's length is kept in UTF-16 units, and read as bytes",
    breaks: slips,
    codec: readingBytes((_, id) => id.length),
  },
];
