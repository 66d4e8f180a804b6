import { type Page, pageLimits } from "#app/domain/page.ts";

/** Iterates over all pages of a list, loading each when it is requested. */
export async function* iteratePages<Row>(
  read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>,
) {
  for (let cursor: string | undefined, more = true; more; ) {
    const page: Page<Row> = await read({ limit: pageLimits.max, cursor });
    yield page.rows;
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
}
