import { z } from "zod";
import { ChannelError, describeChannelProblem } from "../channel-problem.ts";
import type { GoogleClient } from "./google-client.server.ts";

/** Runs a query in Google's query language; yields the rows in the chunks in which they are streamed. */
export type GoogleSearch = <S extends z.ZodType>(query: string, row: S) => AsyncIterable<z.output<S>[]>;

/**
 * `googleAds:searchStream` returns the whole result at once, as an array of chunks. What fails after the first chunk is
 * sent as a chunk too, because the status was sent before.
 */
export function createGoogleSearch(ask: GoogleClient): GoogleSearch {
  return async function* search(query, row) {
    const parts = z.array(z.object({ results: z.array(row).nullish(), error: z.unknown() }));
    for (const { results, error } of await ask("googleAds:searchStream", { query }, parts)) {
      if (error)
        throw new ChannelError(describeChannelProblem("Google Ads", "unreachable"), { problem: "unreachable" });
      yield results ?? [];
    }
  };
}

/**
 * Quotes a text for a query. Our texts contain no quotes; escaping ensures that one with quotes cannot change the
 * query.
 */
export function quoteGaql(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
