import { and, inArray, sql } from "drizzle-orm";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { accounts, campaigns, notifications } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type AccountId, type CampaignId, type NotificationId, newId, type UserId } from "../ids.ts";
import { rowsPerInsert, slicesOf } from "../slices-of.ts";
import { enqueueWebhookDeliveries } from "../webhooks/enqueue-webhook-deliveries.server.ts";
import { enqueueMails } from "./enqueue-mails.server.ts";
import type { NotificationEvent, NotificationFacts } from "./notification.ts";

/** A notification to create. The names of the account, the campaign and its two sides are looked up. */
export type NotificationInput = {
  event: NotificationEvent;
  accountId: AccountId;
  /** Identifies the event: an account is notified once per key. */
  key: string;
  /** The row that the notification is about. */
  subjectId: string;
  campaignId?: CampaignId | undefined;
  advertiserId?: AccountId | undefined;
  publisherId?: AccountId | undefined;
  facts?: Partial<NotificationFacts>;
  /** The people of the account who get the mail; without a list, all of them. */
  recipients?: readonly UserId[];
  /** Whether the recipient already saw the event, so that it does not count as unread. */
  isSeen?: boolean;
};

/**
 * Creates notifications with their mails and webhook deliveries, and the jobs that send them, all in the caller's
 * transaction. Returns how many were new. The seed sends no mails and no webhooks.
 */
export async function notifyAccounts(ctx: VisitorCtx, inputs: readonly NotificationInput[]): Promise<number> {
  let created = 0;
  for (const slice of slicesOf(inputs, rowsPerInsert)) created += await createNotifications(ctx, slice);
  return created;
}

async function createNotifications(ctx: VisitorCtx, inputs: readonly NotificationInput[]): Promise<number> {
  const unknown = await filterUnknown(ctx, inputs);
  if (unknown.length === 0) return 0;
  const names = await listNames(ctx, unknown);
  const now = ctx.clock();
  const created = await ctx.db
    .insert(notifications)
    .values(
      unknown.map(({ event, accountId, key, subjectId, campaignId, advertiserId, publisherId, facts, isSeen }) => ({
        id: newId<NotificationId>(),
        accountId,
        event,
        eventKey: key,
        campaignId: campaignId ?? null,
        subjectId,
        createdAt: now,
        readAt: isSeen ? now : null,
        facts: {
          company: names.companies.get(accountId) ?? "",
          campaign: campaignId && names.campaigns.get(campaignId),
          advertiser: advertiserId && names.companies.get(advertiserId),
          publisher: publisherId && names.companies.get(publisherId),
          ...facts,
        },
      })),
    )
    // Another transaction may have inserted the same one meanwhile.
    .onConflictDoNothing()
    .returning({ id: notifications.id, accountId: notifications.accountId, key: notifications.eventKey });
  if (ctx.entrypoint === "seed") return created.length;
  const ids = created.map(({ id }) => id);
  const recipientsOf = new Map(unknown.map(({ accountId, key, recipients }) => [`${accountId} ${key}`, recipients]));
  await enqueueMails(
    ctx,
    created.map(({ id, accountId, key }) => ({ id, recipients: recipientsOf.get(`${accountId} ${key}`) })),
  );
  await enqueueWebhookDeliveries(ctx, ids);
  return created.length;
}

/**
 * Returns the inputs without those that were created before. A report of a campaign near the end of its budget has the
 * same ones each time, which then read no names, and once notifications are partitioned, their keys are unique only in
 * each month.
 */
async function filterUnknown(ctx: VisitorCtx, inputs: readonly NotificationInput[]): Promise<NotificationInput[]> {
  const known = await ctx.db
    .select({ accountId: notifications.accountId, key: notifications.eventKey })
    .from(notifications)
    .where(
      and(
        inArray(notifications.accountId, [...new Set(inputs.map(({ accountId }) => accountId))]),
        inArray(notifications.eventKey, [...new Set(inputs.map(({ key }) => key))]),
      ),
    );
  const created = new Set(known.map(({ accountId, key }) => `${accountId} ${key}`));
  return inputs.filter(({ accountId, key }) => !created.has(`${accountId} ${key}`));
}

/** A name that the advertiser cleared after the launch is still the publishers'. */
const lastCampaignName = sqlValue(
  z.string(),
  sql`coalesce(nullif(campaigns.name, ''), (select campaign_name from line_items where campaign_id = campaigns.id limit 1), '')`,
);

type Names = { companies: Map<AccountId, string>; campaigns: Map<CampaignId, string> };

async function listNames(ctx: VisitorCtx, inputs: readonly NotificationInput[]): Promise<Names> {
  const ids = inputs.flatMap(({ accountId, advertiserId, publisherId }) => [accountId, advertiserId, publisherId]);
  const companies = await ctx.db
    .select({ id: accounts.id, name: accounts.companyName })
    .from(accounts)
    .where(inArray(accounts.id, [...new Set(ids.filter((id) => id !== undefined))]));
  const campaignIds = [...new Set(inputs.flatMap(({ campaignId }) => campaignId ?? []))];
  const named =
    campaignIds.length === 0
      ? []
      : await ctx.db
          .select({ id: campaigns.id, name: lastCampaignName })
          .from(campaigns)
          .where(inArray(campaigns.id, campaignIds));
  return {
    companies: new Map(companies.map(({ id, name }) => [id, name])),
    campaigns: new Map(named.map(({ id, name }) => [id, name])),
  };
}
