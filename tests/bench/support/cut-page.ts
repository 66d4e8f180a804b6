import type { Values } from "../reference/campaigns/values.ts";

/** Markup with holes: the pieces with an odd index are names of holes. */
export type Pieces = string[];
export type PageTemplate = { head: Pieces; row: Pieces; foot: Pieces };

const mark = (hole: string) => `\0${hole}\0`;

/**
 * Cuts a rendered page of the product into a template for the references: what surrounds the rows, and the row of these
 * values. They render the product's own markup then, whatever it is today.
 */
export function cutPage(html: string, { cursor, values }: { cursor: string; values: Values }): PageTemplate {
  const texts = {
    nonce: matchOf(html, /<script nonce="([^"]+)"/),
    requestId: matchOf(html, /data-request-id="([^"]+)"/),
    count: matchOf(html, />([\d,]+) campaigns</),
    previous: matchOf(html, /\?cursor=([\w.-]+)"[^>]*><svg[^>]*><use[^>]*#chevron-left/),
    next: matchOf(html, /\?cursor=([\w.-]+)"[^>]*>Next/),
  };
  const data = matchOf(html, /(window\.__remixContext=\{.*?)<\/script>/s);
  let marked = html.replace(data, () => mark("data")).replaceAll(cursor, mark("cursor"));
  for (const [hole, text] of Object.entries(texts)) marked = marked.replaceAll(text, mark(hole));
  const [before = "", rest = ""] = marked.split("<tbody>");
  const [rows = "", after = ""] = rest.split("</tbody>");
  const sample = rows.split("</tr>").find((one) => one.includes(values.id)) ?? "";
  const row = markRow(`${sample}</tr>`, values);
  return { head: `${before}<tbody>`.split("\0"), row: row.split("\0"), foot: `</tbody>${after}`.split("\0") };
}

/** Some texts are in the row once, beside others that may be equal. */
const places: Partial<Record<keyof Values, (text: string) => string>> = {
  spent: (text) => `>${text}</strong><progress`,
  impressions: (text) => `>${text}</strong><small`,
  clicks: (text) => `>${text}<!-- --> <span class="sr-only">clicks`,
};

function markRow(row: string, values: Values): string {
  let marked = row;
  for (const [hole, text] of Object.entries(values)) {
    const place = Object.entries(places).find(([name]) => name === hole)?.[1] ?? ((same) => same);
    if (!marked.includes(place(text))) throw new Error(`The product's row has no ${hole}: ${place(text)}`);
    marked = marked.replaceAll(place(text), place(mark(hole)));
  }
  return marked;
}

function matchOf(html: string, pattern: RegExp): string {
  const found = pattern.exec(html)?.[1];
  if (!found) throw new Error(`The product's page has nothing like ${pattern}`);
  return found;
}

/** The number of elements in the body of a page, without scripts. */
export function countElements(html: string): number {
  const body = html.slice(html.indexOf("<body")).replace(/<(script|template)\b.*?<\/\1>/gs, "");
  return body.match(/<[a-z]/g)?.length ?? 0;
}
