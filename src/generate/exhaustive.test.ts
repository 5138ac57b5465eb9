import { describe, expect, it } from 'vitest';
import { createMemorySubject } from '../subject/memory.ts';
import { createModelSubject } from '../subject/model.ts';
import { contextOf } from '../suite/certify.ts';
import { judgeProgram } from '../suite/judge.ts';
import { exhaustivePrograms } from './exhaustive.ts';

const texts = (operations: number) => [...exhaustivePrograms(operations)].map(({ clients }) => JSON.stringify(clients));

describe('every program of a small scope', () => {
  it('is given once, and none that does the same as another', () => {
    const programs = texts(3);
    expect(programs).toHaveLength(1_372);
    expect(new Set(programs).size).toBe(programs.length);
    // The second walker's walk never begins before the first one's, and no page is asked for after none.
    expect(programs.filter((text) => text.includes('"v"') && !text.includes('"first","walk":"w"'))).toEqual([]);
    expect(programs.filter((text) => text.includes('"next"') && !text.includes('"first"'))).toEqual([]);
  });

  it('holds each shorter one as a beginning', () => {
    const longer = texts(3).map((text) => text.slice(0, text.indexOf(',{"op":"walk","walk":"z"')));
    for (const shorter of texts(2)) {
      const beginning = shorter.slice(0, shorter.indexOf(',{"op":"walk","walk":"z"'));
      expect(longer.some((text) => text.startsWith(beginning))).toBe(true);
    }
  });

  it.each([createModelSubject(), createMemorySubject()])('breaks no rule of $name', async (subject) => {
    const found: string[] = [];
    let shown = 0;
    for (const program of exhaustivePrograms(3)) {
      const { judged } = await judgeProgram(subject, program, contextOf(subject, {}), { operationTimeoutMs: 20_000 });
      for (const { rule, findings, witnesses } of judged) {
        if (rule === 'WALK-3') shown += witnesses;
        if (findings.length > 0) found.push(`${rule}: ${JSON.stringify(program.clients)}`);
      }
    }
    expect(found).toEqual([]);
    expect(shown).toBeGreaterThan(500);
  });
});
