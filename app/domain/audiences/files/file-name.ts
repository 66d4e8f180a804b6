import { maskValue } from "../members/parse-identifier.ts";

/**
 * Invisible characters and characters that change the direction of the text around them. Joiners are excluded because
 * some scripts need them.
 */
export const invisibleCharacters = /\p{Cc}|\p{Cs}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const maxNameLength = 120;

/**
 * Returns a file's name as it is stored and shown: one line of at most 120 characters, with email addresses masked.
 * Never a path.
 */
export function sanitizeFileName(name: string): string {
  const visible = name.replace(invisibleCharacters, "").trim();
  const masked = visible.replace(/[^\s@]*@[^\s@]*/g, maskValue);
  return [...masked].slice(0, maxNameLength).join("") || "file";
}
