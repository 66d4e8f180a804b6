import { maskValue } from "../members/read-identifier.ts";

/** Characters that nobody sees, or that turn the text around them. Joiners stay: some scripts need them. */
export const unseen = /\p{Cc}|\p{Cs}|[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
const longest = 120;

/** A file's name as it is kept and shown: one line, at most 120 characters, without anybody's address. Never a path. */
export function shownFileName(name: string): string {
  const seen = name.replace(unseen, "").trim();
  const masked = seen.replace(/[^\s@]*@[^\s@]*/g, maskValue);
  return [...masked].slice(0, longest).join("") || "file";
}
