import { queryRows } from "#db/query-rows.server.ts";
import { findFirstRevenueMonth } from "../billing/list-revenue-shares.server.ts";
import { findFirstTransactionMonth } from "../billing/list-transactions.server.ts";
import { type CalendarMonth, calendarMonthOf, formatMonth } from "../calendar-month.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { parseId } from "../ids.ts";
import { matchingMonths } from "./matching-months.ts";
import { findsAll } from "./name-matches.server.ts";
import { searchQuery } from "./search-queries.server.ts";
import {
  maxSearchLength,
  type SearchGroup,
  type SearchResult,
  searchCountLimit,
  searchGroupSize,
  searchKinds,
  searchRowSchema,
} from "./search-result.ts";
import { sortByMatch } from "./sort-by-match.ts";

/**
 * Searches everything that the account's lists show: names, SKUs, invoice numbers, months and ids. One statement reads
 * up to 101 rows of each kind, of which the best are returned and all are counted; a kind without results is left out.
 */
export async function searchAccount(ctx: Ctx<TenantActor>, { q: text }: { q: string }): Promise<SearchGroup[]> {
  const q = text.replaceAll("\0", "").trim();
  if (q === "" || q.length > maxSearchLength) return [];
  const months = matchingMonths(q, calendarMonthOf(ctx.clock()));
  const input = { q, id: parseId(q), months, limit: searchCountLimit + 1 };
  const [rows, statements] = await Promise.all([
    queryRows(ctx.db, searchRowSchema, searchQuery(ctx, input)),
    listStatements(ctx, months),
  ]);
  const results: SearchResult[] = [...rows, ...statements];
  return searchKinds.flatMap((kind) => {
    const found = new Map(results.filter((result) => result.kind === kind).map((result) => [result.id, result]));
    if (found.size === 0) return [];
    const best = sortByMatch([...found.values()], q);
    const counted = best.slice(0, searchCountLimit);
    const isAtLeast = found.size > searchCountLimit || (found.size > searchGroupSize && !findsAll(q));
    const archived = counted.filter(({ facts }) => "isArchived" in facts && facts.isArchived).length;
    return { kind, results: best.slice(0, searchGroupSize), count: counted.length, archived, isAtLeast };
  });
}

/** The statements of those months since the account's first amount. */
async function listStatements(ctx: Ctx<TenantActor>, months: readonly CalendarMonth[]): Promise<SearchResult[]> {
  if (months.length === 0) return [];
  const { actor } = ctx;
  const first = await (actor.kind === "publisher"
    ? findFirstRevenueMonth({ ...ctx, actor })
    : findFirstTransactionMonth(ctx));
  return months
    .filter((month) => first !== undefined && month >= first)
    .map((month) => ({ kind: "statement", id: month, title: formatMonth(month), facts: { month } }));
}
