import { describe, expect, it } from 'vitest';
import { sampleCertificate, sampleCounterexample, sampleResult } from '../suite/certificate.sample.ts';
import { renderMarkdown } from './markdown.ts';

describe('the Markdown summary', () => {
  it('shows what did not pass, each violation in full, and folds the rest', () => {
    const certificate = sampleCertificate(
      [
        sampleResult('TIME-1', 'pass'),
        sampleResult('TOKEN-5', 'fail', { counterexample: sampleCounterexample }),
        sampleResult('TIME-5', 'not-applicable', { reason: 'no clock' }),
      ],
      { notes: ['the budget ran out'] },
    );
    const text = renderMarkdown([certificate]);
    const [above, below] = text.split('<details>');
    expect(above).toContain(
      '## memory\n\nProfile 0.6, seed 42: 100 programs, 4321 operations in 1.2 s. 1 passed, 1 failed, 1 skipped.',
    );
    expect(above).toContain('| ❌ FAIL | TOKEN-5 | 10 | a page never needs its boundary task |');
    expect(above).toContain('```text\nTOKEN-5: a page never needs its boundary task\n');
    expect(above).toContain('> the budget ran out');
    expect(above).not.toContain('TIME-1');
    expect(below).toContain('| ✅ pass | TIME-1 | 10 | the storage assigns the time |');
    expect(below).toContain('| ➖ n/a | TIME-5 | 10 | no clock |');
    expect(text.endsWith('</details>\n\n1 passed, 1 failed, 1 skipped\n')).toBe(true);
  });

  it('lets no text of the subject act as Markdown or HTML', () => {
    const finding = { ...sampleCounterexample.finding, saw: 'it said ```` and <b>' };
    const certificate = sampleCertificate(
      [
        sampleResult('TIME-2', 'vacuous', { reason: 'a | b\n<script>' }),
        sampleResult('TOKEN-5', 'fail', { counterexample: { ...sampleCounterexample, finding } }),
      ],
      { subject: '<img>|`x`' },
    );
    const text = renderMarkdown([certificate]);
    expect(text).toContain('## \\<img\\>\\|\\`x\\`');
    expect(text).toContain('| ❔ vacuous | TIME-2 | 10 | a \\| b\\\\u\\{a\\}\\<script\\> |');
    expect(text).toContain('`````text\n');
  });
});
