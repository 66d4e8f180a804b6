import { z } from "zod";
import type { AskGoogle } from "./google-line.server.ts";

/** Asks in Google's query language; gives the rows in the parts that they are streamed in. */
export type SearchGoogle = <S extends z.ZodType>(query: string, row: S) => AsyncIterable<z.output<S>[]>;

/** `googleAds:searchStream`: all of the answer at once, an array of parts. */
export function searchGoogle(ask: AskGoogle): SearchGoogle {
  return async function* search(query, row) {
    const parts = z.array(z.object({ results: z.array(row).nullish() }));
    for (const { results } of await ask("googleAds:searchStream", { query }, parts)) yield results ?? [];
  };
}

/** A text in a query. Ours have no quotes; one that had would not leave its place. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
