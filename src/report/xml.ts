/** Text for XML 1.0. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Escapes a text for an element or a double-quoted attribute. What XML 1.0 can't hold at all, even escaped (control
 * characters, lone surrogates, U+FFFE and U+FFFF), is written as `\u{…}`; line breaks and tabs are kept by references.
 */
export function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]|[\u007f-\u009f]/gu, (character) => {
      return `\\u{${character.codePointAt(0)!.toString(16)}}`;
    })
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Escapes a text for an element, where plain line feeds stay readable. */
export function escapeXmlLines(text: string): string {
  return escapeXml(text).replaceAll('&#10;', '\n');
}
