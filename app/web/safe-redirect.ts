/**
 * Returns a redirect target that stays on this site, or undefined: a path that begins with a single slash and that a
 * browser resolves to this origin. Some texts only look like paths: `//host`, `/\host`, `/<tab>/host`.
 */
export function safeRedirectPath(text: string | null | undefined): string | undefined {
  if (!text || text.length > 2_000 || !/^\/(?![/\\])/.test(text) || /[\p{Cc}\p{Cs}\\]/u.test(text)) return undefined;
  const here = "http://site.invalid";
  if (!URL.canParse(text, here)) return undefined;
  const url = new URL(text, here);
  // Dot segments may collapse into a path that itself begins with two slashes: `/.//host`.
  if (url.origin !== here || url.username || url.password || url.pathname.startsWith("//")) return undefined;
  return url.pathname + url.search + url.hash;
}
