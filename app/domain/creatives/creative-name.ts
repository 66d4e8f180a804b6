import { readFileName } from "../audiences/files/file-name.ts";

const maxNameLength = 120;

/**
 * Returns a file's name as it is stored and shown: one line of text, never a path. (`logo@2x.png` is not masked as an
 * address.)
 */
export function sanitizeCreativeName(fileName: string): string {
  const last = fileName.split(/[/\\]/).at(-1) ?? "";
  return [...readFileName(last.normalize("NFC"))].slice(0, maxNameLength).join("") || "Untitled";
}
