/** Finds what a mistyped word may have meant. */

/**
 * The candidates nearest to a word, nearest first, at most `limit`: those that contain it or start like it, then those
 * within 2 edits, without regard to case. Empty where nothing is near.
 */
export function nearMatches(word: string, candidates: readonly string[], limit = 5): readonly string[] {
  const sought = word.trim().toUpperCase();
  if (sought === '') return [];
  return candidates
    .map((candidate) => ({ candidate, distance: distanceTo(sought, candidate.toUpperCase()) }))
    .filter((near) => near.distance <= 2)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, limit)
    .map((near) => near.candidate);
}

function distanceTo(sought: string, candidate: string): number {
  if (candidate === sought) return 0;
  const edits = levenshtein(sought, candidate);
  const family = sought.split('-')[0]!;
  const alike = candidate.includes(sought) || (family.length > 2 && candidate.startsWith(`${family}-`));
  return alike ? Math.min(edits, 2) : edits;
}

/** Edits between two words, by the usual table kept as one row; fine for words, quadratic in their length. */
function levenshtein(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[other.length]!;
}
