declare global {
  interface ImportMetaEnv {
    /** The files of each part of a screen, by its name; only in the server's build (server/bundle/part-scripts.ts). */
    readonly PART_SCRIPTS?: Readonly<Record<string, readonly string[]>>;
  }
}

/**
 * Returns links that preload the scripts of a page's parts, without those that `links` names already: the browser would
 * otherwise only find them once it has run the screen's script.
 */
export function partLinks(names: Iterable<string>, links: string, nonce: string): string {
  const files = new Set([...names].flatMap((name) => import.meta.env.PART_SCRIPTS?.[name] ?? []));
  return [...files]
    .filter((file) => !links.includes(file))
    .map((file) => `<link nonce="${nonce}" rel="modulepreload" href="${file}"/>`)
    .join("");
}
