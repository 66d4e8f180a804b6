/** A LIKE pattern that finds the text anywhere, with its own wildcards taken literally. */
export function likePattern(text: string): string {
  return `%${text.trim().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
}
