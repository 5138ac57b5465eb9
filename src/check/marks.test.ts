import { describe, expect, it } from 'vitest';
import { judge, type Story, unseen } from './story.sample.ts';

const three = (s: Story) => s.create('a', 1n).create('b', 2n).create('c', 3n);
const inD = { filter: { context: 'd' } };

/** What a finding of this rule says became of which tasks, on which entry's page. */
function marksOf(rule: string, tell: (s: Story) => unknown, judges = {}): string[] {
  const found = judge(tell, judges).findings.find((finding) => finding.rule === rule);
  return (found?.marks ?? []).map(({ id, how, entry }) => `${id} ${how} #${entry}`);
}

describe('a finding marks', () => {
  it('the task that a walk lost, on the page that passed it', () => {
    expect(marksOf('WALK-3', (s) => three(s).page('w', 'c', { size: 1 }).page('w', 'a'))).toEqual(['b lost #4']);
  });

  it('the task that a walk repeats, where it is shown again', () => {
    const twice = (s: Story) => three(s).page('w', 'c b', { size: 2 }).replace('b', 4n).page('w', 'b a');
    expect(marksOf('WALK-1', twice)).toEqual(['b repeated #5']);
    expect(marksOf('WALK-2', twice)).toEqual(['b misplaced #5']);
  });

  it('the task that should not be there', () => {
    const deleted = (s: Story) => s.create('a').create('b').delete('a').page('w', 'b a', { total: 2 });
    expect(marksOf('WALK-4', deleted, unseen)).toEqual(['a intruding #3']);
  });

  it('what the same token no longer gives, and what it gives instead', () => {
    const tell = (s: Story) => three(s).page('w', 'c b', { size: 2 }).peek('w', 'a').delete('b').peek('w', 'c');
    expect(marksOf('TOKEN-5', tell)).toEqual(['a lost #6', 'c intruding #6']);
  });

  it('what a filter leaves out or lets in', () => {
    const tell = (s: Story) =>
      s
        .create('a', 1n, { context: 'd' })
        .create('b', 2n)
        .page('w', 'b a', { size: 2 })
        .page('v', 'b', { ...inD, next: '' });
    expect(marksOf('FILTER-1', tell)).toEqual(['b intruding #3']);
  });

  it('both tasks that stand in the wrong order', () => {
    expect(marksOf('ORDER-1', (s) => three(s).page('w', 'b c a'))).toEqual(['b misplaced #3', 'c misplaced #3']);
  });

  it('nothing where it is not about tasks on pages', () => {
    const found = judge((s) => s.create('a').page('w', 'a', { total: 5 }), unseen).findings[0];
    expect(found).not.toHaveProperty('marks');
  });
});
