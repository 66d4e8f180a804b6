import { eq } from "drizzle-orm";
import { savedViews } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { SavedViewId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { normalizeReportQuery } from "./normalize-report-query.server.ts";
import { lockReport } from "./own-reports.server.ts";
import { withUniqueReportName } from "./report-name.server.ts";
import type { ReportChanges } from "./report-payloads.ts";

/**
 * Renames a report or replaces its query. Throws `not_found`, and `invalid_input` for a name that the account has or a
 * query that cannot be stored.
 */
export async function updateReport(
  ctx: Ctx<TenantActor>,
  { id, ...changes }: ReportChanges & { id: SavedViewId },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const before = await lockReport(tx, id);
    const { name = before.name } = changes;
    const query = changes.query === undefined ? before.query : normalizeReportQuery(tx, changes.query);
    if (name === before.name && query === before.query) return;
    await withUniqueReportName(() => tx.db.update(savedViews).set({ name, query }).where(eq(savedViews.id, id)));
    await recordAudit(tx, {
      action: "report.changed",
      entity: "report",
      entityId: id,
      accountId: tx.actor.accountId,
      before: name === before.name ? { query: before.query } : { name: before.name },
      after: name === before.name ? { query } : { name },
    });
  });
}
