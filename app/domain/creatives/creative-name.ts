import { invisibleCharacters } from "../audiences/files/file-name.ts";

const maxNameLength = 120;

/**
 * Returns a file's name as it is stored and shown: one line of text, never a path. (`logo@2x.png` is not masked as an
 * address.)
 */
export function sanitizeCreativeName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? "";
  const visible = last.normalize("NFC").replace(invisibleCharacters, "").trim();
  return [...visible].slice(0, maxNameLength).join("") || "Untitled";
}
