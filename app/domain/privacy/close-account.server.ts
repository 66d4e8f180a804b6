import { and, eq, inArray, ne, or, sql } from "drizzle-orm";
import { recordAudienceVersion } from "#app/domain/audiences/audience-version.server.ts";
import { dropOtherGenerations } from "#app/domain/audiences/members/audience-blocks.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { sumAvailableEarnings } from "#app/domain/billing/payouts/unpaid-earnings.server.ts";
import { readFunds } from "#app/domain/billing/wallet/read-funds.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, PublisherActor, TenantActor } from "#app/domain/context.ts";
import { asCents, type Cents, centsToDollars } from "#app/domain/money.ts";
import {
  accounts,
  apiKeys,
  audienceColumnMappings,
  audienceConnections,
  audienceSnapshots,
  audiences,
  audienceUploads,
  connectedAccounts,
  idempotencyKeys,
  mails,
  notifications,
  payoutAccounts,
  productImportColumnMappings,
  productImports,
  productStores,
  products,
  savedViews,
  webhooks,
} from "#db/schema/index.ts";
import { isPublisher } from "./tenant-actor.ts";

/** What an erased API key is called. */
const erasedKeyName = "Erased key";

/**
 * Closes an account in the caller's transaction: deletes its audiences' people, catalog, connections, keys, webhooks,
 * views and notifications, ends its credit, and denies access. The company's name, its campaigns and the books stay,
 * because the other party and the law need them.
 */
export async function closeAccount(ctx: Ctx<TenantActor>): Promise<void> {
  const { db } = ctx;
  const { accountId } = ctx.actor;
  const now = ctx.clock();
  if (isPublisher(ctx)) await eraseAudiences(ctx);
  await db.delete(audienceConnections).where(eq(audienceConnections.publisherId, accountId));
  await db.delete(audienceColumnMappings).where(eq(audienceColumnMappings.publisherId, accountId));
  await db.delete(productImports).where(eq(productImports.accountId, accountId));
  await db.delete(productImportColumnMappings).where(eq(productImportColumnMappings.accountId, accountId));
  await db.delete(productStores).where(eq(productStores.accountId, accountId));
  await db.delete(products).where(eq(products.accountId, accountId));
  await db.delete(webhooks).where(eq(webhooks.accountId, accountId));
  await db.delete(savedViews).where(eq(savedViews.accountId, accountId));
  // First, so that an event of Stripe that is being read stores no bank details after they are deleted.
  await db.delete(connectedAccounts).where(eq(connectedAccounts.publisherId, accountId));
  await db.delete(payoutAccounts).where(eq(payoutAccounts.publisherId, accountId));
  await db
    .update(apiKeys)
    .set({ name: erasedKeyName, revokedAt: sql`coalesce(${apiKeys.revokedAt}, ${now.toISOString()})` })
    .where(eq(apiKeys.accountId, accountId));
  const ofKeys = sql`${idempotencyKeys.caller} in (select 'key:' || own.id from api_keys own where own.account_id = ${accountId})`;
  const callers = ["account", "form", "upload", "product-import", "creatives"];
  const ofAccount = inArray(
    idempotencyKeys.caller,
    callers.map((caller) => `${caller}:${accountId}`),
  );
  await db.delete(idempotencyKeys).where(and(or(ofAccount, ofKeys), eq(idempotencyKeys.movesMoney, false)));
  const ownNotifications = db
    .select({ id: notifications.id })
    .from(notifications)
    .where(eq(notifications.accountId, accountId));
  await db.delete(mails).where(inArray(mails.notificationId, ownNotifications));
  await db.delete(notifications).where(eq(notifications.accountId, accountId));
  await db
    .update(accounts)
    .set({
      status: "suspended",
      website: null,
      businessVertical: null,
      monthlyBudgetCents: null,
      monthlyVisitors: null,
      monthlyPageviews: null,
      allowsManagedCampaigns: false,
      creditLimitCents: 0,
      hadCredit: sql`${accounts.hadCredit} or ${accounts.creditLimitCents} > 0`,
      closedAt: now,
    })
    .where(eq(accounts.id, accountId));
  const debt = await readDebt(ctx);
  await recordAudit(ctx, {
    action: "account.closed",
    entity: "account",
    entityId: accountId,
    accountId,
    ...(debt > 0 && { after: { debt: centsToDollars(debt) } }),
  });
}

/** Returns what the account owes, which is in the books as long as they are kept. */
async function readDebt(ctx: Ctx<TenantActor>): Promise<Cents> {
  const { accountId } = ctx.actor;
  if (isPublisher(ctx)) {
    const available = await sumAvailableEarnings(ctx, { publisherId: accountId, day: calendarDateOf(ctx.clock()) });
    return asCents(-Math.min(0, available));
  }
  return (await readFunds(ctx, [accountId])).get(accountId)?.owed ?? asCents(0);
}

/** Archives the audiences and deletes their people; channels delete their copies when they are synced next. */
async function eraseAudiences(ctx: Ctx<PublisherActor>): Promise<void> {
  const { db } = ctx;
  const own = eq(audiences.publisherId, ctx.actor.accountId);
  const all = await db
    .select({ id: audiences.id, size: audiences.size, version: audiences.version })
    .from(audiences)
    .where(own)
    .for("update");
  const ids = all.map(({ id }) => id);
  await db
    .update(audiences)
    .set({ status: "archived", archivedAt: ctx.clock(), nextRefreshAt: null, remoteListId: null, remoteListName: null })
    .where(and(own, ne(audiences.status, "archived")));
  for (const { id, size, version } of all) {
    const nowhere = { audienceId: id, generation: 0, store: "rows", deltas: null } as const;
    await dropOtherGenerations(db, nowhere);
    if (version > 0)
      await recordAudienceVersion(ctx, {
        audience: { id, size, version, status: "archived" },
        place: nowhere,
        size: 0,
        peopleAdded: 0,
        peopleRemoved: size,
        source: "erasure",
      });
  }
  await db.update(audiences).set({ description: null, estimatedSize: null }).where(own);
  if (ids.length === 0) return;
  await db.delete(audienceSnapshots).where(inArray(audienceSnapshots.audienceId, ids));
  // Reports of uploads have masked values and the names of files and columns. An upload that runs ends here, so that it
  // does not write its report later.
  await db
    .update(audienceUploads)
    .set({
      files: [],
      problems: [],
      droppedColumns: [],
      notes: [],
      optOuts: [],
      status: sql`case ${audienceUploads.status} when 'succeeded' then 'succeeded' else 'failed' end`,
      error: sql`case ${audienceUploads.status} when 'succeeded' then null else ${"The account was closed."} end`,
      finishedAt: sql`coalesce(${audienceUploads.finishedAt}, ${ctx.clock().toISOString()}::timestamptz)`,
    })
    .where(inArray(audienceUploads.audienceId, ids));
}
