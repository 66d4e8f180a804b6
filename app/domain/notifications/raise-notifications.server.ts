import { inArray, sql } from "drizzle-orm";
import { accounts, campaigns, mails, notifications, users } from "#db/schema/index.ts";
import type { AccountType } from "../accounts/account.ts";
import type { Ctx } from "../context.ts";
import { type AccountId, type AuditEntryId, type CampaignId, type MailId, type NotificationId, newId } from "../ids.ts";
import { type Happening, noticesOf } from "./notices-of.ts";
import type { Notice, NotificationFacts } from "./notification.ts";
import { sendMailTask } from "./send-mail-task.ts";

/**
 * Tells whoever is to be told of what happened: writes the notices, the mails to their people, and the jobs that send them,
 * all in the caller's transaction. The entry's id is the event's key, so that nothing is told twice. The seed tells nobody.
 */
export async function raiseNotifications(
  ctx: Ctx,
  happenings: readonly (Happening & { id: AuditEntryId })[],
): Promise<void> {
  if (ctx.door === "seed") return;
  const actorId = "accountId" in ctx.actor ? ctx.actor.accountId : undefined;
  const told = happenings.flatMap((happening) =>
    noticesOf(happening, actorId).map((notice) => ({ ...notice, happening })),
  );
  if (told.length === 0) return;
  const names = await listNames(ctx, told);
  await ctx.db.insert(notifications).values(
    told.map(({ event, accountId, happening }): Notice & { createdAt: Date } => ({
      id: newId<NotificationId>(),
      accountId,
      event,
      eventKey: happening.id,
      campaignId: happening.campaignId ?? null,
      subjectId: happening.entityId,
      createdAt: ctx.clock(),
      facts: factsOf(happening, { accountId, names }),
    })),
  );
  await queueMails(ctx, told);
}

type Told = ReturnType<typeof noticesOf>[number] & { happening: Happening & { id: AuditEntryId } };
type Names = { companies: Map<AccountId, { name: string; type: AccountType }>; campaigns: Map<CampaignId, string> };

async function listNames(ctx: Ctx, told: readonly Told[]): Promise<Names> {
  const ids = told.flatMap(({ accountId, happening }) => [accountId, happening.ownerId, happening.accountId]);
  const companies = await ctx.db
    .select({ id: accounts.id, name: accounts.companyName, type: accounts.type })
    .from(accounts)
    .where(inArray(accounts.id, [...new Set(ids.filter((id) => id !== undefined))]));
  const campaignIds = [...new Set(told.flatMap(({ happening }) => happening.campaignId ?? []))];
  const named =
    campaignIds.length === 0
      ? []
      : await ctx.db
          .select({ id: campaigns.id, name: campaigns.name })
          .from(campaigns)
          .where(inArray(campaigns.id, campaignIds));
  return {
    companies: new Map(companies.map(({ id, ...company }) => [id, company])),
    campaigns: new Map(named.map(({ id, name }) => [id, name])),
  };
}

function factsOf(
  { campaignId, ownerId, accountId: aboutId, after }: Happening,
  { accountId, names }: { accountId: AccountId; names: Names },
): NotificationFacts {
  const nameOf = (id: AccountId | undefined) => (id ? names.companies.get(id)?.name : undefined);
  return {
    company: nameOf(accountId) ?? "",
    campaign: campaignId && names.campaigns.get(campaignId),
    advertiser: nameOf(ownerId),
    publisher: ownerId ? nameOf(aboutId) : undefined,
    notes: typeof after?.notes === "string" ? after.notes : undefined,
    amount: typeof after?.amount === "number" ? after.amount : undefined,
    reason: typeof after?.reason === "string" ? after.reason : undefined,
    isChange: typeof after?.version === "number" && after.version > 1 ? true : undefined,
    isWaiting: after?.status === "pending" ? true : undefined,
  };
}

/** A mail to each person of the accounts. */
async function queueMails(ctx: Ctx, told: readonly Told[]): Promise<void> {
  const accountIds = [...new Set(told.map(({ accountId }) => accountId))];
  const keys = told.map(({ happening }) => happening.id);
  const people = await ctx.db
    .select({ notificationId: notifications.id, userId: users.id, address: users.email })
    .from(notifications)
    .innerJoin(users, sql`${users.accountId} = ${notifications.accountId}`)
    .where(sql`${inArray(notifications.accountId, accountIds)} and ${inArray(notifications.eventKey, keys)}`);
  if (people.length === 0) return;
  const queued = people.map((person) => ({
    ...person,
    id: newId<MailId>(),
    state: "waiting" as const,
    createdAt: ctx.clock(),
  }));
  await ctx.db.insert(mails).values(queued);
  await queueSending(
    ctx,
    queued.map(({ id }) => id),
  );
}

/** A job for each mail, in the caller's transaction; one that waits already is the same. */
export async function queueSending(ctx: Ctx, ids: readonly MailId[]): Promise<void> {
  if (ids.length === 0) return;
  const { name, attempts } = sendMailTask;
  await ctx.db.execute(sql`
    select graphile_worker.add_job(${name}, json_build_object('id', mail.id), max_attempts => ${attempts}::int, job_key => 'mail ' || mail.id)
    from unnest(${`{${ids.join(",")}}`}::uuid[]) as mail (id)`);
}
