import type { CreativeType } from "#app/domain/creatives/creative.ts";

/** What the library is asked for, as it stands in the address. */
export type CreativeSearch = { q?: string; type?: CreativeType; cursor?: string };

/** The query of the library with these changes; another search or filter begins at its first page. */
export function creativeQuery(search: CreativeSearch, changes: Partial<CreativeSearch> = {}): string {
  const { q, type, cursor } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (type) query.set("type", type);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
