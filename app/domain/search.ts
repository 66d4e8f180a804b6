import { removeInvisible } from "./visible-text.ts";

/**
 * Returns a LIKE pattern that matches the text anywhere; wildcards in the text are escaped. The text is normalized as
 * stored names are (text.ts): a file name that is pasted from macOS has its accents as characters of their own.
 */
export function likePattern(text: string): string {
  const normalized = removeInvisible(text).normalize("NFC").trim();
  return `%${normalized.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
