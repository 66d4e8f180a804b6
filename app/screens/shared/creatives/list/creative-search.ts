import type { CreativeType } from "#app/domain/creatives/creative.ts";

import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The library's search parameters. */
export type CreativeSearch = { q?: string; type?: CreativeType; cursor?: string } & Pick<ListState, "saved">;

/** Returns the library's query string with these changes; a new search or filter starts at the first page. */
export function creativeQuery(search: CreativeSearch, changes: Partial<CreativeSearch> = {}): string {
  const { q, type, cursor, saved } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (type) query.set("type", type);
  setListState(query, { saved });
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
