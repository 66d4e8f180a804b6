/** Room for pages of 349,000 characters; the largest list has 120,000. */
const room = Buffer.allocUnsafeSlow(2 ** 20);

/**
 * Returns the texts, one after another, in UTF-8. Each text is read once and nothing is joined: a page of a list is a
 * string of 240 KB, and counting, joining and encoding it separately took a quarter of its request.
 */
export function encodeTexts(texts: readonly string[]): Buffer {
  const characters = texts.reduce((sum, { length }) => sum + length, 0);
  if (3 * characters > room.length) return Buffer.from(texts.join(""));
  let length = 0;
  for (const text of texts) length += room.write(text, length);
  return Buffer.from(room.subarray(0, length));
}
