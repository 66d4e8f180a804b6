import { and, eq } from "drizzle-orm";
import { campaignEdits } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import type { CampaignValues } from "../campaign-fields.ts";
import type { CampaignRow } from "../campaign-rows.server.ts";
import { closeEdit, deleteSessionsBefore, findOpenEdit } from "./close-edit.server.ts";
import { continuesEdit, type EditSave } from "./edit-session.ts";
import { changedFields, recordChanges } from "./record-changes.server.ts";

/**
 * Compares a save with what its session has saved already: `outdated` if that was a later state of the form, `repeated`
 * if it was the same one and no button was pressed. The caller has locked the campaign.
 */
export async function compareWithSaved(
  ctx: Ctx,
  row: CampaignRow,
  save: EditSave,
): Promise<"new" | "repeated" | "outdated"> {
  const [known] = await ctx.db
    .select({ revision: campaignEdits.revision })
    .from(campaignEdits)
    .where(and(eq(campaignEdits.campaignId, row.id), eq(campaignEdits.sessionId, save.sessionId)));
  if (known && save.revision < known.revision) return "outdated";
  return known?.revision === save.revision && save.isAutomatic ? "repeated" : "new";
}

/**
 * Adds a save to the campaign's open edit or begins another, and writes the history's entry if the edit is finished.
 * `row` and `before` are as before the save, `after` as after it. The caller has locked the campaign.
 */
export async function saveEdit(
  ctx: Ctx<TenantActor>,
  { row, save, before, after }: { row: CampaignRow; save: EditSave; before: CampaignValues; after: CampaignValues },
): Promise<void> {
  const at = ctx.clock();
  const userId = ctx.actor.userId ?? null;
  const open = await findOpenEdit(ctx, row);
  const continues = open !== undefined && continuesEdit(open, { step: save.step, userId, at });
  const startsEdit = !continues && changedFields(before, after).length > 0;
  if (continues) await deleteSessionsBefore(ctx, row);
  // A save without changes, such as the last one of a page that was left, ends no other edit.
  else if (startsEdit || open?.sessionId === save.sessionId) await closeEdit(ctx, row);
  const first = continues ? open.before : before;
  const isOpen = !save.isFinished && (continues || startsEdit);
  const { step, revision } = save;
  const state = { step, revision, userId, entrypoint: ctx.entrypoint, before: isOpen ? first : null, savedAt: at };
  await ctx.db
    .insert(campaignEdits)
    .values({ campaignId: row.id, sessionId: save.sessionId, ...state })
    .onConflictDoUpdate({ target: [campaignEdits.campaignId, campaignEdits.sessionId], set: state });
  if (save.isFinished) await recordChanges(ctx, { row, before: first, after });
}
