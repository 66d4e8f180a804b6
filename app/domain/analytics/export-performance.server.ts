import { sql } from "drizzle-orm";
import { withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { inSnapshot } from "../transaction.server.ts";
import { compareTotals } from "./compare-totals.server.ts";
import type { Figures } from "./figures.ts";
import { type Performance, type PerformanceRequest, performanceOf, withDefaults } from "./list-performance.server.ts";
import { performanceQuery, performanceRow } from "./performance-query.server.ts";

const rowsAtOnce = 2_000;
/** Of the whole file, in milliseconds. */
const deadline = 60_000;

/**
 * Hands every row of the table to `take`, piece by piece, and gives the totals: all of one moment, read by one statement whose result
 * stays in the database until it is asked for.
 */
export async function exportPerformance(
  ctx: Ctx<TenantActor>,
  { take, ...asked }: PerformanceRequest & { take: (rows: Performance[]) => Promise<void> },
): Promise<Figures> {
  return withDeadline(deadline, () =>
    inSnapshot(ctx, async (tx) => {
      await tx.db.execute(sql.raw(`set local statement_timeout = ${deadline}`));
      await tx.db.execute(sql`declare export no scroll cursor for ${performanceQuery(tx, withDefaults(asked))}`);
      for (;;) {
        const piece = await queryRows(tx.db, performanceRow, sql.raw(`fetch ${rowsAtOnce} from export`));
        if (piece.length > 0) await take(piece.map((row) => performanceOf(asked.group, row)));
        if (piece.length < rowsAtOnce) break;
      }
      return (await compareTotals(tx, asked)).totals;
    }),
  );
}
