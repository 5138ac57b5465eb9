/** Content types of request bodies. */

/**
 * Tells whether a `Content-Type` is one of `accepted` in UTF-8; absent counts as such. A charset that is no UTF-8 is
 * refused: JSON has no other (RFC 8259 §8.1).
 */
export function isJsonContent(header: string | undefined, accepted: readonly string[]): boolean {
  if (header === undefined) return true;
  const [mediaType = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return accepted.includes(mediaType) && (charset === undefined || /^"?utf-?8"?$/.test(charset));
}
