/** Text in HTML. */
import { visible } from '../quote.ts';
import { escapeXml } from '../xml.ts';

/**
 * Escapes a text for an element or a double-quoted attribute. What can't be shown or would turn what stands beside it
 * (control characters, lone surrogates, direction marks) is written as `\u{…}`: text that comes from a store can
 * neither act on the page nor look like another text.
 */
export function escapeHtml(text: string): string {
  return escapeXml(
    visible(text).replace(/\u061c|\ufeff|\u00ad|[\u200b-\u200d\u2060]/g, (mark) => {
      return `\\u{${mark.charCodeAt(0).toString(16)}}`;
    }),
  );
}

/** Writes a text as the fragment of an address and as an `id`: letters, digits and dashes. */
export function anchor(text: string): string {
  return text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
}

/** Groups thousands with commas, whatever the locale. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}
