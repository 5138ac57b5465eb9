/** Shows text so that what differs can be seen: ids that look alike, control characters, very long ids. */

const HEAD = 40;
const TAIL = 16;

/**
 * Quotes a text in printable ASCII: everything else, the quote and the backslash are escaped, code points as `\u{1f600}`.
 * A text of more than 64 characters (UTF-16 units) keeps its head and its tail, and its length follows.
 */
export function quote(text: string): string {
  if (text.length <= 64) return `"${escapeText(text)}"`;
  const head = escapeText(text.slice(0, HEAD));
  const tail = escapeText(text.slice(-TAIL));
  return `"${head}"…"${tail}" (${text.length} characters)`;
}

function escapeText(text: string): string {
  return Array.from(text, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`;
    return character >= ' ' && character <= '~' ? character : escapeCodePoint(character);
  }).join('');
}

/**
 * Escapes what would act on a terminal or can't be shown (control characters, lone surrogates, direction marks) in a
 * text that comes from a subject; other characters stay as they are.
 */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, escapeCodePoint);
}

function escapeCodePoint(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
