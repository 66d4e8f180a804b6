import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { outdatedFormResponse } from "#app/web/outdated-form.server.ts";
import { type CampaignKind, isReversible, undoActionOf } from "../campaign-intents.ts";
import { type BulkIntent, bulkIntents } from "./bulk-intents.ts";
import { describeBulkResult, type Failure, failureOf } from "./bulk-result.ts";
import { parseSelection } from "./bulk-selection.server.ts";

/**
 * Runs a verb for each selected campaign, then redirects to `back` with the result of all rows. Each row is a
 * transaction of its own: a row that fails, for whatever reason, is counted and stops no other. A verb that returns
 * false changed nothing, so the message's Undo leaves its row out.
 */
export async function handleBulkAction<Actor extends TenantActor>(
  ctx: Ctx<Actor>,
  input: {
    form: FormData;
    back: string;
    verbs: Partial<Record<BulkIntent, (ctx: Ctx<Actor>, row: { id: CampaignId }) => Promise<unknown>>>;
    kind: CampaignKind;
  },
) {
  const ids = parseSelection(input.form.getAll("campaign"));
  const intent = bulkIntents.find((one) => one === input.form.get("bulk"));
  const run = intent && input.verbs[intent];
  if (!ids || !intent || !run) throw outdatedFormResponse();
  if (ids.length === 0)
    return redirectWithFlash(input.back, { tone: "error", message: "Select at least one campaign" });
  const failures: Failure[] = [];
  const changed: string[] = [];
  for (const id of ids) {
    try {
      if ((await run(ctx, { id })) !== false) changed.push(id);
    } catch (error) {
      if (!(error instanceof DomainError)) reportError(ctx, error, { work: "bulk_action" });
      failures.push(failureOf(error));
    }
  }
  const undo = isReversible(intent) ? { action: undoActionOf(intent, input.kind), ids: changed } : undefined;
  return redirectWithFlash(input.back, describeBulkResult({ intent, selected: ids.length, failures, undo }));
}
