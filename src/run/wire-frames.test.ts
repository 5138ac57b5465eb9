import { describe, expect, it } from 'vitest';
import { AnswerFollower, FrameSplitter, openingOf, RequestCollector } from './wire-frames.ts';

function message(type: string, body = ''): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

function untyped(code: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(8);
  bytes.writeUInt32BE(code, 4);
  return bytes;
}

function typesOf(splitter: FrameSplitter): string[] {
  const types: string[] = [];
  for (let frame = splitter.take(); frame !== undefined; frame = splitter.take()) types.push(frame.type);
  return types;
}

/** The requests that messages of these types make, as texts of their types. */
function requests(types: string): string[] {
  const collector = new RequestCollector();
  return [...types].flatMap((type) => {
    const request = collector.add({ type, bytes: Buffer.from(type) });
    return request === undefined ? [] : [request.bytes.toString()];
  });
}

describe('a stream of messages', () => {
  it('is cut where they end, however it arrives', () => {
    const stream = Buffer.concat([message('P', 'text'), message('B'), message('S')]);
    for (let size = 1; size <= stream.length; size++) {
      const splitter = new FrameSplitter('backend');
      const types: string[] = [];
      for (let at = 0; at < stream.length; at += size) {
        splitter.push(stream.subarray(at, at + size));
        types.push(...typesOf(splitter));
      }
      expect(types.join('')).toBe('PBS');
    }
  });

  it('begins without types on the side of a client', () => {
    const splitter = new FrameSplitter('frontend');
    splitter.push(untyped(80877103));
    const first = splitter.take();
    expect(first && openingOf(first)).toBe('encryption');
    splitter.push(Buffer.concat([untyped(196608), message('Q', 'x')]));
    const second = splitter.take();
    expect(second && openingOf(second)).toBe('startup');
    splitter.typed();
    expect(typesOf(splitter)).toEqual(['Q']);
    splitter.push(Buffer.alloc(0));
    expect(openingOf({ type: '', bytes: untyped(80877102) })).toBe('cancel');
  });

  it('is refused where it is of another protocol', () => {
    const splitter = new FrameSplitter('frontend');
    splitter.push(Buffer.from('GET / HTTP/1.1\r\n'));
    expect(() => splitter.take()).toThrow(RangeError);
  });
});

describe('a request', () => {
  it('ends at a simple query, a Sync or a Flush', () => {
    expect(requests('QPBESPBDHES')).toEqual(['Q', 'PBES', 'PBDH', 'ES']);
    expect(requests('PB')).toEqual([]);
  });

  it('is answered at ReadyForQuery', () => {
    const answer = new AnswerFollower({ by: 'ready' });
    expect([...'12TDDCEZ'].map((type) => answer.ends({ type }))).toEqual([
      ...Array.from({ length: 7 }, () => false),
      true,
    ]);
  });

  it('that no Sync ends is answered by its replies, or by an error', () => {
    const collector = new RequestCollector();
    const flushed = [...'PDBEH'].map((type) => collector.add({ type, bytes: Buffer.alloc(0) })).at(-1);
    const following = () => new AnswerFollower(flushed!.completion);
    const whole = following();
    expect([...'1tT2DDs'].map((type) => whole.ends({ type })).lastIndexOf(true)).toBe(6);
    const failed = following();
    expect([...'1E'].map((type) => failed.ends({ type }))).toEqual([false, true]);
    expect(new AnswerFollower({ by: 'replies', count: 0 }).isDone).toBe(true);
  });
});
