import type { AudienceStatus, Segment } from "#app/domain/audiences/audience.ts";

/** What the list of audiences is asked for, as it stands in the address. */
export type AudienceSearch = {
  q?: string;
  segment: Segment | "all";
  status: AudienceStatus | "all";
  cursor?: string;
};

/** The query of the list with these changes; another search or filter begins at its first page. */
export function audienceQuery(search: AudienceSearch, changes: Partial<AudienceSearch>): string {
  const { q, segment, status, cursor } = { ...search, cursor: undefined, ...changes };
  const query = new URLSearchParams();
  if (q) query.set("q", q);
  if (segment !== "all") query.set("segment", segment);
  if (status !== "all") query.set("status", status);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
