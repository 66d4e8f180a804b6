/** The encodings of text that are read, the likelier of two equal readings first. Pure. */
export const textEncodings = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "windows-1250",
  "windows-1251",
  "windows-1254",
  "iso-8859-1",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-9",
  "iso-8859-15",
  "shift_jis",
  "euc-jp",
  "gb18030",
  "macintosh",
] as const;
export type TextEncoding = (typeof textEncodings)[number];

export const textEncodingLabels: Record<TextEncoding, string> = {
  "utf-8": "Unicode (UTF-8)",
  "utf-16le": "Unicode (UTF-16 LE)",
  "utf-16be": "Unicode (UTF-16 BE)",
  "windows-1252": "Western European (Windows-1252)",
  "windows-1250": "Central European (Windows-1250)",
  "windows-1251": "Cyrillic (Windows-1251)",
  "windows-1254": "Turkish (Windows-1254)",
  "iso-8859-1": "Western European (ISO-8859-1)",
  "iso-8859-2": "Central European (ISO-8859-2)",
  "iso-8859-5": "Cyrillic (ISO-8859-5)",
  "iso-8859-9": "Turkish (ISO-8859-9)",
  "iso-8859-15": "Western European (ISO-8859-15)",
  shift_jis: "Japanese (Shift-JIS)",
  "euc-jp": "Japanese (EUC-JP)",
  gb18030: "Chinese (GB18030)",
  macintosh: "Western European (Mac Roman)",
};

/** How the encoding of a file is known: by its byte-order mark, by the uploader's choice, or by its characters. */
export const encodingSources = ["mark", "chosen", "detected"] as const;
export type EncodingSource = (typeof encodingSources)[number];

export const encodingSourceLabels: Record<EncodingSource, string> = {
  mark: "as its byte-order mark says",
  chosen: "as chosen",
  detected: "detected by its characters",
};

/** What is known about the encoding of a file that was read. */
export type ReadEncoding = {
  encoding: TextEncoding;
  source: EncodingSource;
  /**
   * The letters and signs beyond ASCII at the start of the file, in the order of Unicode, so that people see whether
   * the encoding is right.
   */
  characters: string;
  /** The number of characters that do not exist in the encoding; for UTF-8 of cells, which are read as Windows-1252. */
  unreadable: number;
};
