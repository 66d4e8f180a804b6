/**
 * Makes a slug such as `mug-blue` from a handle and option values: lowercase letters and digits of any script, joined
 * by hyphens.
 */
export function slugify(parts: readonly string[]): string {
  return parts
    .join("-")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
