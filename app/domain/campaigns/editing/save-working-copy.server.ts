import { eq } from "drizzle-orm";
import { campaigns, lineItems } from "#db/schema/index.ts";
import type { Ctx, TenantActor } from "../../context.ts";
import { applyUnreviewedChanges, differingFields } from "../campaign-content.ts";
import type { CampaignValues } from "../campaign-fields.ts";
import type { CampaignChanges } from "../campaign-payloads.ts";
import { type CampaignRow, findVersionContent, toCampaignContent, toCampaignValues } from "../campaign-rows.server.ts";
import { lockLineItems } from "../line-items/lock-line-items.server.ts";
import { validateContent } from "../validate-content.server.ts";
import { closeEdit } from "./close-edit.server.ts";
import type { EditSave } from "./edit-session.ts";
import { changedFields, recordChanges } from "./record-changes.server.ts";
import { saveEdit } from "./save-edit.server.ts";

/**
 * Saves changes to the working copy of a locked campaign, in the caller's transaction, and records them: at once, or
 * with `edit` when that edit ends. Returns the row after them; undefined when nothing changes and no edit is saved.
 * Throws `invalid_input`.
 */
export async function saveWorkingCopy(
  ctx: Ctx<TenantActor>,
  { row, changes, edit }: { row: CampaignRow; changes: CampaignChanges; edit?: EditSave | undefined },
): Promise<CampaignRow | undefined> {
  const before = toCampaignValues(row);
  const content = await validateContent(ctx, { from: before, changes, ownerId: row.advertiserId });
  const after = { ...applyUnreviewedChanges(before, changes), ...content };
  const isChanged = changedFields(before, after).length > 0;
  if (!isChanged && !edit) return undefined;

  const saved = isChanged ? await writeWorkingCopy(ctx, { row, after }) : row;
  if (edit) {
    await saveEdit(ctx, { row, save: edit, before, after });
  } else {
    await closeEdit(ctx, row);
    await recordChanges(ctx, { row, before, after });
  }
  return saved;
}

async function writeWorkingCopy(
  ctx: Ctx<TenantActor>,
  { row, after }: { row: CampaignRow; after: CampaignValues },
): Promise<CampaignRow> {
  const { name } = after;
  const sentContent = row.version > 0 ? await findVersionContent(ctx, row.id, row.version) : undefined;
  const hasUnsentChanges =
    sentContent !== undefined && differingFields(sentContent, toCampaignContent(after)).length > 0;
  const change = { ...after, hasUnsentChanges, updatedAt: ctx.clock() };
  // An empty name is saved, as in any step of the wizard, but publishers continue to see the last name.
  const isRenamed = name !== row.name && name !== "" && row.version > 0;
  if (isRenamed) await lockLineItems(ctx, { campaignIds: [row.id] });
  await ctx.db.update(campaigns).set(change).where(eq(campaigns.id, row.id));
  if (isRenamed) {
    await ctx.db.update(lineItems).set({ campaignName: name }).where(eq(lineItems.campaignId, row.id));
  }
  return { ...row, ...change };
}
