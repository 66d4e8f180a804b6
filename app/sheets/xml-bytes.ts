/** What a byte of text asks for; 0 is nothing. */
export const asks = {
  /** Part of a character outside ASCII. */
  wide: 1,
  /** An entity or a line end that becomes another. */
  decoding: 2,
  /** May begin an escape of spreadsheets, `_x000D_`. */
  underscore: 4,
  /** XML forbids it. */
  refusal: 8,
} as const;

/** By byte: the sum of what it asks for. */
export const byteClass = new Uint8Array(256);
byteClass.fill(asks.refusal, 0, 32).fill(asks.wide, 128);
for (const plain of "\t\n") byteClass[plain.charCodeAt(0)] = 0;
for (const changed of "\r&") byteClass[changed.charCodeAt(0)] = asks.decoding;
byteClass["_".charCodeAt(0)] = asks.underscore;

/** By byte: 1 when it ends an attribute's name, be it well or badly. */
export const endsName = new Uint8Array(256);
endsName.fill(1, 0, 33);
for (const end of "=></\"'") endsName[end.charCodeAt(0)] = 1;
