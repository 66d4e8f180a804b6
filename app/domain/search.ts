/** Returns a LIKE pattern that matches the text anywhere; wildcards in the text are escaped. */
export function likePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
