/** The product's name. Nowhere else in the code. */
export const productName = "Endcap";

/** A page's `<title>`. */
export function pageTitle(title: string): string {
  return `${title} · ${productName}`;
}
