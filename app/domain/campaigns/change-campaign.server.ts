import { eq } from "drizzle-orm";
import { campaigns, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { type CampaignContent, differingFields } from "./campaign-content.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { type CampaignRow, contentOf, findVersionContent, lockOwnCampaign } from "./campaign-rows.server.ts";
import { checkedContent } from "./checked-content.server.ts";
import { sendVersion } from "./send-version.server.ts";

/**
 * Saves changes to a campaign's working copy. A draft is simply changed. Of a launched campaign the name changes at
 * once; anything else waits as unsent changes while the approved version runs on, until `launchCampaign` sends them or,
 * with `send`, in the same transaction (the API's PATCH). Throws `not_found`, `invalid_input`, `invalid_transition`.
 */
export async function changeCampaign(
  ctx: Ctx<AdvertiserActor>,
  input: { id: CampaignId; changes: CampaignChanges; send?: boolean },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    if (row.status === "completed")
      throw new DomainError("invalid_transition", "A completed campaign cannot be changed");
    const before = contentOf(row);
    const content = await checkedContent(tx, { from: before, changes: input.changes, ownerId: tx.actor.accountId });
    const name = input.changes.name === undefined ? row.name : (input.changes.name ?? "");
    const fields = differingFields(before, content);
    if (fields.length === 0 && name === row.name && !(input.send && row.hasUnsentChanges)) return;

    const saved = await saveWorkingCopy(tx, { row, name, content });
    await recordAudit(tx, {
      action: "campaign.changed",
      entity: "campaign",
      entityId: row.id,
      campaignId: row.id,
      ownerId: row.advertiserId,
      before: { ...(name !== row.name && { name: row.name }), ...pick(before, fields) },
      after: { ...(name !== row.name && { name }), ...pick(content, fields) },
    });
    if (input.send && saved.status !== "draft" && saved.hasUnsentChanges) await sendVersion(tx, saved);
  });
}

async function saveWorkingCopy(
  ctx: Ctx<AdvertiserActor>,
  input: { row: CampaignRow; name: string; content: CampaignContent },
): Promise<CampaignRow> {
  const { row, name, content } = input;
  const sent = row.version > 0 ? await findVersionContent(ctx, row.id, row.version) : undefined;
  const hasUnsentChanges = sent !== undefined && differingFields(sent, content).length > 0;
  const change = { name, ...content, hasUnsentChanges, updatedAt: ctx.clock() };
  await ctx.db.update(campaigns).set(change).where(eq(campaigns.id, row.id));
  // An emptied name is saved, as any step of the wizard is, but publishers go on seeing the last one.
  if (name !== row.name && name !== "" && row.version > 0) {
    await ctx.db.update(lineItems).set({ campaignName: name }).where(eq(lineItems.campaignId, row.id));
  }
  return { ...row, ...change };
}

function pick(content: CampaignContent, fields: readonly (keyof CampaignContent)[]): Record<string, unknown> {
  return Object.fromEntries(fields.map((field) => [field, content[field]]));
}
