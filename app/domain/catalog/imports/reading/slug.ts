/** `mug-blue` from a handle and option values: small letters and digits of any script, parted by hyphens. */
export function slugOf(parts: readonly string[]): string {
  return parts
    .join("-")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "");
}
