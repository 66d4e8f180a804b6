import type { AudienceStatus, Segment } from "#app/domain/audiences/audience.ts";
import type { AudienceSort } from "#app/domain/audiences/list-own-audiences.server.ts";
import { type ListState, setListState } from "#app/ui/table/list-state.tsx";

/** The audience list's search parameters. */
export type AudienceSearch = {
  q?: string;
  segment: Segment | "all";
  status: AudienceStatus | "all";
  sort: AudienceSort;
  cursor?: string;
} & ListState;

/** Returns the list's query string with these changes; a new search, filter or sort order starts at the first page. */
export function audienceQuery(search: AudienceSearch, changes: Partial<AudienceSearch>): string {
  const { q, segment, status, sort, cursor, ...state } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (segment !== "all") query.set("segment", segment);
  if (status !== "all") query.set("status", status);
  if (sort !== "name") query.set("sort", sort);
  setListState(query, state);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
