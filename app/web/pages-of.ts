import { type Page, pageLimits } from "#app/domain/page.ts";

/** All pages of a list, one after the other as they are asked for. */
export async function* pagesOf<Row>(read: (page: { limit: number; cursor: string | undefined }) => Promise<Page<Row>>) {
  for (let cursor: string | undefined, more = true; more; ) {
    const page: Page<Row> = await read({ limit: pageLimits.max, cursor });
    yield page.rows;
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
}
