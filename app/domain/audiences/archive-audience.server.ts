import { eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audienceSnapshots, audiences, lineItems } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnAudience } from "./audience-rows.server.ts";
import { usesAudience } from "./audience-use.server.ts";

const maxCampaigns = 20;

/**
 * Archives an audience: advertisers no longer see it and it accepts no uploads. Does nothing if it is archived already.
 * Throws `not_found`, and `invalid_transition` while a campaign of `listAudienceBlockingCampaigns` uses it.
 */
export async function archiveAudience(ctx: Ctx<PublisherActor>, { id }: { id: AudienceId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "update");
    if (row.status === "archived") return;
    const [campaign] = await listAudienceBlockingCampaigns(tx, id);
    if (campaign) {
      throw new DomainError(
        "invalid_transition",
        `The campaign “${campaign.name}” uses this audience. You can archive it once no approved or pending campaign uses it.`,
      );
    }
    const archivedAt = tx.clock();
    await tx.db
      .update(audiences)
      .set({ status: "archived", archivedAt, nextRefreshAt: null })
      .where(eq(audiences.id, id));
    await tx.db.delete(audienceSnapshots).where(eq(audienceSnapshots.audienceId, id));
    await recordAudit(tx, {
      action: "audience.archived",
      entity: "audience",
      entityId: id,
      accountId: row.publisherId,
      before: { status: row.status },
      after: { status: "archived" },
    });
  });
}

const blockingRow = z.object({
  lineItemId: columnValue(lineItems.id),
  id: columnValue(lineItems.campaignId),
  name: columnValue(lineItems.campaignName),
});

/**
 * Returns the publisher's newest campaigns, at most 20, that run on the audience or would run once the publisher
 * approves them. Line items that are over are not read.
 */
export async function listAudienceBlockingCampaigns(ctx: Ctx<PublisherActor>, id: AudienceId) {
  // Each is read in the order of an index, until there are enough.
  const newest = (condition: SQL) => sql`(
    select line_items.id, line_items.campaign_id, line_items.campaign_name from line_items
    where line_items.publisher_id = ${ctx.actor.accountId} and ${condition}
      and exists (select from version_audiences where version_audiences.audience_id = ${id} and ${usesAudience} offset 0)
    order by line_items.id desc limit ${maxCampaigns})`;
  return queryRows(
    ctx.db,
    blockingRow,
    sql`
      select id as "lineItemId", campaign_id as id, campaign_name as name from (
        ${newest(sql`line_items.status = 'active'`)} union ${newest(sql`line_items.status = 'paused'`)}
        union ${newest(sql`line_items.approval_status = 'pending'`)}
      ) item order by item.id desc limit ${maxCampaigns}`,
  );
}
