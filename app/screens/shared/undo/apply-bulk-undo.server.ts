import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { reportError } from "#app/domain/report-error.ts";
import { describeBulkResult, type Failure, failureOf } from "#app/screens/shared/campaigns/bulk/bulk-result.ts";
import { undoActionOf } from "#app/screens/shared/campaigns/campaign-intents.ts";
import type { Flash } from "#app/web/flash.server.ts";
import type { BulkUndo } from "#app/web/undo.server.ts";
import { applyUndo, undoActions } from "./apply-undo.server.ts";

/**
 * Undoes a bulk action row by row, each in a transaction of its own, and counts those that have changed since. A row
 * that fails, for whatever reason, stops no other.
 */
export async function applyBulkUndo(ctx: Ctx<TenantActor>, { action, ids }: BulkUndo): Promise<Flash> {
  const changed: string[] = [];
  const failures: Failure[] = [];
  for (const id of ids) {
    try {
      const { tone } = await applyUndo(ctx, { action, id });
      if (tone === "success") changed.push(id);
      else failures.push({ reason: "This campaign has changed since" });
    } catch (error) {
      if (!(error instanceof DomainError)) reportError(ctx, error, { work: "bulk_action" });
      failures.push(failureOf(error));
    }
  }
  const { intent, kind } = undoActions[action];
  const undo = { action: undoActionOf(intent, kind), ids: changed };
  return describeBulkResult({ intent, selected: ids.length, failures, undo });
}
