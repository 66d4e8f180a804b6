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
 * Saves changes to a campaign's working copy. A draft is simply changed. Of a launched campaign the name and the
 * pacing change at once; anything else waits as unsent changes while the approved version runs on, until `launchCampaign` sends them or,
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
    const pacing = input.changes.pacing === undefined ? row.pacing : (input.changes.pacing ?? "even");
    const fields = differingFields(before, content);
    const [was, is] = ownFields(row, { name, pacing });
    if (fields.length === 0 && Object.keys(is).length === 0 && !(input.send && row.hasUnsentChanges)) return;

    const saved = await saveWorkingCopy(tx, { row, name, pacing, content });
    await recordAudit(tx, {
      action: "campaign.changed",
      entity: "campaign",
      entityId: row.id,
      campaignId: row.id,
      ownerId: row.advertiserId,
      before: { ...was, ...pick(before, fields) },
      after: { ...is, ...pick(content, fields) },
    });
    if (input.send && saved.status !== "draft" && saved.hasUnsentChanges) await sendVersion(tx, saved);
  });
}

type OwnFields = Pick<CampaignRow, "name" | "pacing">;

/** What is the advertiser's own affair and changes, as it was and as it is. */
function ownFields(row: OwnFields, { name, pacing }: OwnFields): [Partial<OwnFields>, Partial<OwnFields>] {
  const [renamed, repaced] = [name !== row.name, pacing !== row.pacing];
  return [
    { ...(renamed && { name: row.name }), ...(repaced && { pacing: row.pacing }) },
    { ...(renamed && { name }), ...(repaced && { pacing }) },
  ];
}

async function saveWorkingCopy(
  ctx: Ctx<AdvertiserActor>,
  input: OwnFields & { row: CampaignRow; content: CampaignContent },
): Promise<CampaignRow> {
  const { row, name, pacing, content } = input;
  const sent = row.version > 0 ? await findVersionContent(ctx, row.id, row.version) : undefined;
  const hasUnsentChanges = sent !== undefined && differingFields(sent, content).length > 0;
  const change = { name, pacing, ...content, hasUnsentChanges, updatedAt: ctx.clock() };
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
