import { and, desc, eq, ilike, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { apiKeys, auditEntries, users } from "#db/schema/index.ts";
import { addDays } from "../calendar-date.ts";
import type { Ctx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { newestFirst } from "../newest-first.server.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import { type ActivityFilter, type ActivityPerson, actionsOf } from "./activity.ts";
import { entryColumns, saidWithTheCampaign } from "./list-history.server.ts";

/**
 * All that happened in the account and to what is its own, newest first: each with the name that its object has now, null when that
 * is gone or has none. An advertiser sees what publishers decide about its campaigns, a publisher only what is about itself.
 */
export async function listActivity(ctx: Ctx<TenantActor>, input: PageRequest & ActivityFilter) {
  const newest = newestFirst(input, auditEntries.id);
  const asked = and(newest.beyond, ...conditionsOf(input, ctx.actor.accountId));
  const idsWhere = (whose: SQL | undefined) =>
    ctx.db
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(whose, asked))
      .orderBy(newest.order)
      .limit(newest.most);
  const { kind, accountId } = ctx.actor;
  const about = eq(auditEntries.accountId, accountId);
  // Each branch reads as many as are shown from its own index, however long the trail is.
  const ids =
    kind === "publisher"
      ? idsWhere(about)
      : unionAll(
          idsWhere(and(eq(auditEntries.ownerId, accountId), saidWithTheCampaign)),
          idsWhere(and(about, or(isNull(auditEntries.ownerId), ne(auditEntries.ownerId, accountId)))),
        );
  const rows = await ctx.db
    .select({
      ...entryColumns,
      entity: auditEntries.entity,
      entityId: auditEntries.entityId,
      actorUserId: auditEntries.actorUserId,
      campaignName: sqlValue(
        z.string().nullable(),
        sql`(select name from campaigns where id = ${auditEntries.campaignId})`,
      ),
      objectName: nameOfObject,
      personName: users.name,
      keyName: apiKeys.name,
    })
    .from(auditEntries)
    .leftJoin(users, and(eq(users.id, auditEntries.actorUserId), eq(users.accountId, accountId)))
    .leftJoin(apiKeys, and(eq(apiKeys.id, auditEntries.actorApiKeyId), eq(apiKeys.accountId, accountId)))
    .where(inArray(auditEntries.id, ids))
    .orderBy(newest.order)
    .limit(newest.most);
  return newest.page(rows);
}

export type ActivityEntry = Awaited<ReturnType<typeof listActivity>>["rows"][number];

/** The people of the account, to choose one by. */
export async function listActivityPeople(ctx: Ctx<TenantActor>) {
  return ctx.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.accountId, ctx.actor.accountId))
    .orderBy(users.name, desc(users.id))
    .limit(100);
}

/** What it is about, where that is still there; a campaign's name stands beside. Read by the id that the account's own entry holds. */
const nameOfObject = sqlValue(
  z.string().nullable(),
  sql`case ${auditEntries.entity}
  when 'audience' then (select name from audiences where id = ${auditEntries.entityId})
  when 'product' then (select name from products where id = ${auditEntries.entityId})
  when 'creative' then (select name from creatives where id = ${auditEntries.entityId})
  when 'store' then (select name from product_stores where id = ${auditEntries.entityId} and credential is not null)
  when 'api_key' then (select name from api_keys where id = ${auditEntries.entityId})
  when 'webhook' then (select substring(url from '//([^/]+)') from webhooks where id = ${auditEntries.entityId})
  when 'product_import' then (select coalesce(file_name, '') from product_imports where id = ${auditEntries.entityId})
  when 'payout' then (select '' from payouts where id = ${auditEntries.entityId}) end`,
);

function conditionsOf({ kind, who, from, to, q }: ActivityFilter, accountId: AccountId): (SQL | undefined)[] {
  const start = sql`split_part(${auditEntries.action}, '.', 1)`;
  const pattern = q ? likePattern(q) : undefined;
  return [
    kind && (kind === "account" ? notInArray(start, actionsOf(kind)) : inArray(start, actionsOf(kind))),
    who && doneBy(who, accountId),
    from && sql`${auditEntries.at} >= ${from}::timestamp at time zone 'UTC'`,
    to && sql`${auditEntries.at} < ${addDays(to, 1)}::timestamp at time zone 'UTC'`,
    pattern
      ? or(
          ilike(auditEntries.actorName, pattern),
          sql`translate(${auditEntries.action}, '._', '  ') ilike ${pattern}`,
          sql`${auditEntries.before}::text ilike ${pattern}`,
          sql`${auditEntries.after}::text ilike ${pattern}`,
          sql`(select name from campaigns where id = ${auditEntries.campaignId}) ilike ${pattern}`,
          sql`${nameOfObject} ilike ${pattern}`,
        )
      : undefined,
  ];
}

/** A tenant is known by its account; jobs and operators have none. */
function doneBy(who: ActivityPerson, accountId: AccountId): SQL | undefined {
  const own = eq(auditEntries.actorAccountId, accountId);
  if (who === "keys") return and(own, isNotNull(auditEntries.actorApiKeyId));
  if (who === "others") return ne(auditEntries.actorAccountId, accountId);
  if (who === "endcap") return inArray(auditEntries.actorKind, ["job", "operator"]);
  return eq(auditEntries.actorUserId, who);
}
