/** The product's name, defined only here. */
export const appName = "Endcap";

/** Returns a page's `<title>`. */
export function pageTitle(title: string): string {
  return `${title} · ${appName}`;
}
