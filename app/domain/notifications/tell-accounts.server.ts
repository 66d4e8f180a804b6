import { inArray } from "drizzle-orm";
import { accounts, campaigns, notifications } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { type AccountId, type CampaignId, type NotificationId, newId } from "../ids.ts";
import { queueWebhooks } from "../webhooks/queue-webhooks.server.ts";
import type { NotificationEvent, NotificationFacts } from "./notification.ts";
import { queueMails } from "./queue-mails.server.ts";

/** Something to tell an account. Names that stand in it are looked up: those of the account, the campaign and its two sides. */
export type Telling = {
  event: NotificationEvent;
  accountId: AccountId;
  /** Says of what it is: the same key is told to an account once, whoever comes first. */
  key: string;
  /** The row that it is about. */
  subjectId: string;
  campaignId?: CampaignId | undefined;
  advertiserId?: AccountId | undefined;
  publisherId?: AccountId | undefined;
  facts?: Partial<NotificationFacts>;
  /** Whoever it is for sees it happen: it does not count as unread. */
  isSeen?: boolean;
};

/**
 * Writes notices, the mails to their people and what their programs are told, and the jobs that send it, all in the caller's transaction. Gives how many were
 * not told before. The seed tells nobody.
 */
export async function tellAccounts(ctx: VisitorCtx, tellings: readonly Telling[]): Promise<number> {
  if (ctx.door === "seed" || tellings.length === 0) return 0;
  const names = await listNames(ctx, tellings);
  const now = ctx.clock();
  const told = await ctx.db
    .insert(notifications)
    .values(
      tellings.map(({ event, accountId, key, subjectId, campaignId, advertiserId, publisherId, facts, isSeen }) => ({
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
    .onConflictDoNothing({ target: [notifications.accountId, notifications.eventKey] })
    .returning({ id: notifications.id });
  const ids = told.map(({ id }) => id);
  await queueMails(ctx, ids);
  await queueWebhooks(ctx, ids);
  return told.length;
}

type Names = { companies: Map<AccountId, string>; campaigns: Map<CampaignId, string> };

async function listNames(ctx: VisitorCtx, tellings: readonly Telling[]): Promise<Names> {
  const ids = tellings.flatMap(({ accountId, advertiserId, publisherId }) => [accountId, advertiserId, publisherId]);
  const companies = await ctx.db
    .select({ id: accounts.id, name: accounts.companyName })
    .from(accounts)
    .where(inArray(accounts.id, [...new Set(ids.filter((id) => id !== undefined))]));
  const campaignIds = [...new Set(tellings.flatMap(({ campaignId }) => campaignId ?? []))];
  const named =
    campaignIds.length === 0
      ? []
      : await ctx.db
          .select({ id: campaigns.id, name: campaigns.name })
          .from(campaigns)
          .where(inArray(campaigns.id, campaignIds));
  return {
    companies: new Map(companies.map(({ id, name }) => [id, name])),
    campaigns: new Map(named.map(({ id, name }) => [id, name])),
  };
}
