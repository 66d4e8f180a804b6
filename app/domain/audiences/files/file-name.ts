import { visibleText } from "../../visible-text.ts";
import { maskValue } from "../members/parse-identifier.ts";

const maxNameLength = 120;

/**
 * Returns a file's name as it is stored and shown: one line of at most 120 characters, with email addresses masked.
 * Never a path.
 */
export function sanitizeFileName(name: string): string {
  const masked = readFileName(name).replace(/[^\s@]*@[^\s@]*/g, maskValue);
  return [...masked].slice(0, maxNameLength).join("") || "file";
}

/** Returns a file's name on one line without invisible characters; empty if one sees nothing of it. */
export function readFileName(name: string): string {
  return visibleText(name.replace(/\p{Cc}|\p{Cs}/gu, ""));
}
