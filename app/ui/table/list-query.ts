/** Returns the query string of a list whose URL has nothing but its order and its page. */
export function listQuery({ sort, cursor }: { sort: string; cursor?: string }): string {
  const query = new URLSearchParams();
  if (sort !== "newest") query.set("sort", sort);
  if (cursor) query.set("cursor", cursor);
  return `?${query}`;
}
