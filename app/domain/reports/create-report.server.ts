import { savedViews } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, TenantActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { newId, type SavedViewId } from "../ids.ts";
import { lockCreation } from "../lock-creation.server.ts";
import { viewModeOf } from "../saved-views/own-views.server.ts";
import { inTransaction } from "../transaction.server.ts";
import { normalizeReportQuery } from "./normalize-report-query.server.ts";
import { ownReports } from "./own-reports.server.ts";
import { withUniqueReportName } from "./report-name.server.ts";
import type { NewReport } from "./report-payloads.ts";
import { reportLimits } from "./report-schedule.ts";

/**
 * Saves a view of analytics as a report of the account and returns its ID. Throws `invalid_input` for a name that the
 * account has, in whatever case, or a query that cannot be stored, `limit_reached` after 50 reports, and
 * `invalid_transition` when the account is closed.
 */
export async function createReport(ctx: Ctx<TenantActor>, { name, ...input }: NewReport): Promise<{ id: SavedViewId }> {
  const query = normalizeReportQuery(ctx, input.query);
  return inTransaction(ctx, async (tx) => {
    const { accountId } = tx.actor;
    await requireOpenAccount(tx, accountId);
    await lockCreation(tx, "reports", accountId);
    if ((await tx.db.$count(savedViews, ownReports(tx))) >= reportLimits.perAccount) {
      throw new DomainError(
        "limit_reached",
        `You've reached the limit of ${reportLimits.perAccount} reports. Delete one first.`,
      );
    }
    const id = newId<SavedViewId>();
    const view = { id, accountId, name, query, list: "analytics", mode: viewModeOf(tx) } as const;
    await withUniqueReportName(() => tx.db.insert(savedViews).values({ ...view, createdAt: tx.clock() }));
    await recordAudit(tx, { action: "report.created", entity: "report", entityId: id, accountId, after: { name } });
    return { id };
  });
}
