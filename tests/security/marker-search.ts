import { open, readdir } from "node:fs/promises";
import { join } from "node:path";

const window = 8 * 1024 * 1024;

/** The bytes in which a token may stand: as it is and in capitals, in UTF-8, both kinds of UTF-16, and in hexadecimal. */
function spellings(token: string): Buffer[] {
  return [token, token.toUpperCase()].flatMap((text) => {
    const little = Buffer.from(text, "utf16le");
    const hex = Buffer.from(text).toString("hex");
    return [Buffer.from(text), little, Buffer.from(little).swap16(), Buffer.from(hex), Buffer.from(hex.toUpperCase())];
  });
}

/** Which of the tokens stand in a text or in bytes, however they are written. */
export function tokensIn(content: string | Buffer, tokens: readonly string[]): string[] {
  const bytes = Buffer.from(content);
  return tokens.filter((token) => spellings(token).some((spelling) => bytes.includes(spelling)));
}

/** Every file under the folders that holds a token; what vanishes while one looks is passed over. */
export async function filesWith(folders: readonly string[], tokens: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile() && (await fileHolds(path, tokens))) found.push(path);
    }
  }
  return found;
}

export async function fileHolds(path: string, tokens: readonly string[]): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const overlap = Math.max(...tokens.map((token) => 2 * token.length));
    const buffer = Buffer.alloc(window + overlap);
    for (let offset = 0; ; offset += window) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      if (bytesRead === 0) return false;
      if (tokensIn(buffer.subarray(0, bytesRead), tokens).length > 0) return true;
    }
  } finally {
    await file.close();
  }
}
