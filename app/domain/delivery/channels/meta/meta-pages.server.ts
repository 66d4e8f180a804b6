import { z } from "zod";
import type { MetaClient } from "./meta-client.server.ts";

/** Yields all pages of an edge by cursor. The URL of the next page in the response is never followed. */
export async function* readPages<S extends z.ZodType>(
  ask: MetaClient,
  { path, fields, row }: { path: string; fields: Record<string, unknown>; row: S },
): AsyncIterable<z.output<S>[]> {
  const page = z.object({
    data: z.array(row),
    paging: z
      .object({ cursors: z.object({ after: z.string().nullish() }).nullish(), next: z.string().nullish() })
      .nullish(),
  });
  let after: string | undefined;
  do {
    const { data, paging } = await ask(path, page, { fields: { ...fields, after } });
    yield data;
    const next = paging?.next ? (paging.cursors?.after ?? undefined) : undefined;
    after = next === after ? undefined : next;
  } while (after !== undefined);
}
