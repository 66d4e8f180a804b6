/** How a byte of text has to be treated; 0 for a plain byte. */
export const byteFlags = {
  /** Part of a character outside ASCII. */
  nonAscii: 1,
  /** The start of an entity, or a line end that is normalized. */
  needsDecoding: 2,
  /** May start a spreadsheet escape, `_x000D_`. */
  underscore: 4,
  /** Not allowed in XML. */
  forbidden: 8,
} as const;

/** The flags of each byte. */
export const byteClass = new Uint8Array(256);
byteClass.fill(byteFlags.forbidden, 0, 32).fill(byteFlags.nonAscii, 128);
for (const plain of "\t\n") byteClass[plain.charCodeAt(0)] = 0;
for (const changed of "\r&") byteClass[changed.charCodeAt(0)] = byteFlags.needsDecoding;
byteClass["_".charCodeAt(0)] = byteFlags.underscore;

/** 1 for each byte that ends an attribute's name, valid or not. */
export const isNameEnd = new Uint8Array(256);
isNameEnd.fill(1, 0, 33);
for (const end of "=></\"'") isNameEnd[end.charCodeAt(0)] = 1;
