import { and, desc, eq, ilike, inArray, isNotNull, isNull, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { z } from "zod";
import { sqlValue } from "#db/query-rows.server.ts";
import { apiKeys, auditEntries, users } from "#db/schema/index.ts";
import { addDays } from "../calendar-date.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import type { AccountId } from "../ids.ts";
import { keysetPage } from "../keyset-page.server.ts";
import type { PageRequest } from "../page.ts";
import { likePattern } from "../search.ts";
import { type ActivityActor, type ActivityFilter, listActionPrefixes } from "./activity.ts";
import { entryColumns, isNotCampaignDuplicate } from "./list-history.server.ts";

/**
 * Lists what happened in the account and to what it owns, newest first. Each entry has the current name of its object,
 * or null when the object is gone or has no name. An advertiser sees what publishers decide about its campaigns; a
 * publisher sees only entries about itself.
 */
export async function listActivity(ctx: ReadCtx<TenantActor>, input: PageRequest & ActivityFilter) {
  const keyset = keysetPage(input, auditEntries.id);
  const campaignName = campaignNameSql(ctx.actor);
  const filtered = and(keyset.where, ...filterConditions(input, { accountId: ctx.actor.accountId, campaignName }));
  const idsWhere = (scope: SQL | undefined) =>
    ctx.db
      .select({ id: auditEntries.id })
      .from(auditEntries)
      .where(and(scope, filtered))
      .orderBy(keyset.order)
      .limit(keyset.limit);
  const { kind, accountId } = ctx.actor;
  const isAbout = eq(auditEntries.accountId, accountId);
  // Each branch reads one page from its own index, however long the audit trail is.
  const ids =
    kind === "publisher"
      ? idsWhere(isAbout)
      : unionAll(
          idsWhere(and(eq(auditEntries.ownerId, accountId), isNotCampaignDuplicate)),
          idsWhere(and(isAbout, or(isNull(auditEntries.ownerId), ne(auditEntries.ownerId, accountId)))),
        );
  const rows = await ctx.db
    .select({
      ...entryColumns,
      entity: auditEntries.entity,
      entityId: auditEntries.entityId,
      actorUserId: auditEntries.actorUserId,
      campaignName: sqlValue(z.string().nullable(), campaignName),
      objectName: objectNameSql,
      personName: users.name,
      keyName: apiKeys.name,
    })
    .from(auditEntries)
    .leftJoin(users, and(eq(users.id, auditEntries.actorUserId), eq(users.accountId, accountId)))
    .leftJoin(apiKeys, and(eq(apiKeys.id, auditEntries.actorApiKeyId), eq(apiKeys.accountId, accountId)))
    .where(inArray(auditEntries.id, ids))
    .orderBy(keyset.order)
    .limit(keyset.limit);
  return keyset.page(rows);
}

export type ActivityEntry = Awaited<ReturnType<typeof listActivity>>["rows"][number];

/** Lists up to 100 users of the account, for the filter by person. */
export async function listActivityPeople(ctx: ReadCtx<TenantActor>) {
  return ctx.db
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(eq(users.accountId, ctx.actor.accountId))
    .orderBy(users.name, desc(users.id))
    .limit(100);
}

/** The name of the entry's campaign. A publisher goes on seeing the last name of one whose advertiser cleared it. */
function campaignNameSql({ kind, accountId }: TenantActor): SQL {
  const { campaignId } = auditEntries;
  return kind === "publisher"
    ? sql`(select campaign_name from line_items where campaign_id = ${campaignId} and publisher_id = ${accountId})`
    : sql`(select name from campaigns where id = ${campaignId})`;
}

/**
 * The name of the entry's object, if the object still exists; the campaign's name is a separate column. Safe without a
 * tenant check, because the ID comes from the account's own entry.
 */
const objectNameSql = sqlValue(
  z.string().nullable(),
  sql`case ${auditEntries.entity}
  when 'audience' then (select name from audiences where id = ${auditEntries.entityId})
  when 'product' then (select name from products where id = ${auditEntries.entityId})
  when 'creative' then (select name from creatives where id = ${auditEntries.entityId})
  when 'store' then (select name from product_stores where id = ${auditEntries.entityId} and credential is not null)
  when 'api_key' then (select name from api_keys where id = ${auditEntries.entityId})
  when 'webhook' then (select substring(url from '//([^/]+)') from webhooks where id = ${auditEntries.entityId})
  when 'report' then (select name from saved_views where id = ${auditEntries.entityId} and user_id is null)
  when 'product_import' then (select coalesce(file_name, '') from product_imports where id = ${auditEntries.entityId})
  when 'payout' then (select '' from payouts where id = ${auditEntries.entityId}) end`,
);

function filterConditions(
  { kind, who, from, to, q }: ActivityFilter,
  { accountId, campaignName }: { accountId: AccountId; campaignName: SQL },
): (SQL | undefined)[] {
  const prefix = sql`split_part(${auditEntries.action}, '.', 1)`;
  const pattern = q ? likePattern(q) : undefined;
  return [
    kind &&
      (kind === "account" ? notInArray(prefix, listActionPrefixes(kind)) : inArray(prefix, listActionPrefixes(kind))),
    who && isActor(who, accountId),
    from && sql`${auditEntries.at} >= ${from}::timestamp at time zone 'UTC'`,
    to && sql`${auditEntries.at} < ${addDays(to, 1)}::timestamp at time zone 'UTC'`,
    pattern
      ? or(
          ilike(auditEntries.actorName, pattern),
          sql`translate(${auditEntries.action}, '._', '  ') ilike ${pattern}`,
          sql`${auditEntries.before}::text ilike ${pattern}`,
          sql`${auditEntries.after}::text ilike ${pattern}`,
          sql`${campaignName} ilike ${pattern}`,
          sql`${objectNameSql} ilike ${pattern}`,
        )
      : undefined,
  ];
}

/** Tenants are identified by their account; jobs and operators have no account. */
function isActor(who: ActivityActor, accountId: AccountId): SQL | undefined {
  const own = eq(auditEntries.actorAccountId, accountId);
  if (who === "keys") return and(own, isNotNull(auditEntries.actorApiKeyId));
  if (who === "others") return ne(auditEntries.actorAccountId, accountId);
  if (who === "endcap") return inArray(auditEntries.actorKind, ["job", "operator"]);
  return eq(auditEntries.actorUserId, who);
}
