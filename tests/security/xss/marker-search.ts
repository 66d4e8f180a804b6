import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

const window = 8 * 1024 * 1024;

/**
 * The byte sequences in which a token may occur: as written and in capitals, in UTF-8, in both byte orders of UTF-16,
 * and in hexadecimal. Both UTF-16 forms are found by the bytes between their outer zeros: searching for a zero first
 * would be slow.
 */
function spellings(token: string): Buffer[] {
  const found = [token, token.toUpperCase()].flatMap((text) => {
    const hex = Buffer.from(text).toString("hex");
    return [
      Buffer.from(text),
      Buffer.from(text, "utf16le").subarray(0, -1),
      Buffer.from(hex),
      Buffer.from(hex.toUpperCase()),
    ];
  });
  return [...new Map(found.map((bytes) => [bytes.toString("hex"), bytes])).values()];
}

/** Returns the tokens that occur in a text or in bytes, in any of these forms. */
export function tokensIn(content: string | Buffer, tokens: readonly string[]): string[] {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return tokens.filter((token) => spellings(token).some((spelling) => bytes.includes(spelling)));
}

/** Returns every file in the folders that contains a token; files that disappear during the search are skipped. */
export async function filesWith(folders: readonly string[], tokens: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const buffer = bufferFor(tokens);
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await fileHolds(path, tokens, buffer))) found.push(path);
    }
  }
  return found;
}

/** A database cluster has a thousand small files, so one buffer is reused for all. */
function bufferFor(tokens: readonly string[]): Buffer {
  return Buffer.alloc(window + Math.max(...tokens.map((token) => 2 * token.length)));
}

export async function fileHolds(path: string, tokens: readonly string[], buffer = bufferFor(tokens)): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    for (let offset = 0; ; offset += window) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) return false;
      if (tokensIn(buffer.subarray(0, bytesRead), tokens).length > 0) return true;
    }
  } finally {
    await file.close();
  }
}
