import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { markConditions } from "#db/schema/index.ts";
import { addDays, calendarDateSchema } from "../calendar-date.ts";
import { displayCampaignName } from "../campaigns/campaign.ts";
import type { ReadCtx, TenantActor } from "../context.ts";
import { type CampaignId, idSchema } from "../ids.ts";
import { asCents } from "../money.ts";
import type { AnalyticsFilters } from "./analytics.ts";
import { type CampaignMarks, markKinds } from "./campaign-marks.ts";
import type { Period } from "./period.ts";

/** The maximum number of changes that are read, the newest ones. */
export const maxMarks = 500;

const cents = z.number().transform(asCents);
const markRow = z.object({
  day: calendarDateSchema,
  kind: z.enum(markKinds),
  campaign_id: idSchema<CampaignId>(),
  campaign_name: z.string(),
  publisher_name: z.string().nullable(),
  total: cents.nullable(),
  daily: cents.nullable(),
  total_before: cents.nullable(),
  daily_before: cents.nullable(),
});
const marksRow = z.object({ marks: z.array(markRow), read_from: calendarDateSchema.nullable() });

/**
 * Lists the launches, pauses, resumptions and changes of budgets in a period, of the campaigns that the filters leave,
 * from the audit trail. An advertiser's campaign is launched when it is first sent to publishers; for a publisher that
 * is when it is first sent to this one. A budget changes when a version with another one is approved: for an advertiser
 * by the first publisher, for a publisher by itself. A publisher sees its own pauses and the advertiser's, and budgets
 * of versions that it approved.
 *
 * Only the newest 500 changes of the account are looked at, or of the campaign that is filtered by.
 */
export async function listCampaignMarks(
  ctx: ReadCtx<TenantActor>,
  { period, filters = {} }: { period: Period; filters?: AnalyticsFilters },
): Promise<CampaignMarks> {
  const { kind, accountId } = ctx.actor;
  const isPublisher = kind === "publisher";
  const owner = isPublisher ? sql`account_id = ${accountId}` : sql`owner_id = ${accountId}`;
  const [row] = await queryRows(
    ctx.db,
    marksRow,
    sql`
      with newest as materialized (
        select id, created_at, action, entity_id, campaign_id, account_id, after
        from ${entriesOf(filters)} entry where ${owner} and ${markConditions[kind]}
          and created_at >= ${period.from}::timestamp at time zone 'UTC' and created_at < ${addDays(period.to, 1)}::timestamp at time zone 'UTC'
        order by created_at desc, id desc limit ${maxMarks + 1}
      ), entries as materialized (
        select id, created_at, action, entity_id, campaign_id, account_id, case action when 'line_item.approved' then (after ->> 'version')::int end as approved,
          case action when 'line_item.sent' then (after ->> 'version')::int end as sent
        from newest order by created_at desc, id desc limit ${maxMarks}
      ), marks as (
        select (entry.created_at at time zone 'UTC')::date as day, ${kindOfEntry} as kind, entry.campaign_id, ${isPublisher ? sql`item.campaign_name` : sql`campaign.name`} as campaign_name,
          case when entry.action in ('line_item.paused', 'line_item.resumed') then publisher.company_name end as publisher_name,
          budget.total, budget.daily, budget.total_before, budget.daily_before, entry.created_at, entry.id
        from entries entry ${
          // By the entry's campaign: as a join, a prepared statement reads all campaigns of the account for each entry,
          // because its plan is made for an account of usual size.
          isPublisher
            ? sql`cross join lateral (select * from line_items where campaign_id = entry.campaign_id offset 0) item`
            : sql`cross join lateral (select * from campaigns where id = entry.campaign_id offset 0) campaign`
        }
        left join accounts publisher on publisher.id = entry.account_id
        left join lateral (${budgetChange(ctx)}) budget on true
        where (entry.approved is null or budget.total is not null)
          and ${isPublisher ? sql`item.publisher_id = ${accountId} and ${isFirstSent(ctx)}` : sql`campaign.advertiser_id = ${accountId}`} ${campaignFilters(ctx, filters)}
      )
      select (select coalesce(json_agg(marks order by created_at, id), '[]') from marks) as marks,
        (select (min(created_at) at time zone 'UTC')::date::text from entries having (select count(*) from newest) > ${maxMarks}) as read_from`,
  );
  return {
    marks: (row?.marks ?? []).map(({ total, daily, total_before, daily_before, ...mark }) => ({
      day: mark.day,
      kind: mark.kind,
      campaignId: mark.campaign_id,
      campaignName: displayCampaignName(mark.campaign_name),
      publisherName: mark.publisher_name,
      budgets:
        total === null || daily === null || total_before === null || daily_before === null
          ? null
          : {
              before: { totalCents: total_before, dailyCents: daily_before },
              after: { totalCents: total, dailyCents: daily },
            },
    })),
    readFrom: row?.read_from ?? null,
  };
}

/** All entries, or those of one campaign, which are few and have an index of their own. */
function entriesOf({ campaign }: AnalyticsFilters): SQL {
  return campaign ? sql`(select * from audit_entries where campaign_id = ${campaign} offset 0)` : sql`audit_entries`;
}

const kindOfEntry = sql`case when entry.approved is not null then 'budget_change' when entry.action in ('campaign.launched', 'line_item.sent') then 'launch'
  when entry.action in ('campaign.paused', 'line_item.paused', 'line_item.paused_with_campaign') then 'pause' else 'resume' end`;

/**
 * Selects the budgets of the version that the entry approved and of the last one approved before it: by the publisher,
 * or for an advertiser by any. No row when they are equal, or when another publisher had approved the version already.
 * Nothing is read for entries that approve none.
 */
function budgetChange({ actor }: ReadCtx<TenantActor>): SQL {
  // Decisions are read by their line item: as a join, tables without statistics had all of them read for each entry.
  const approvals = sql`(select * from line_items where campaign_id = entry.campaign_id offset 0) decided
    cross join lateral (select * from decisions where line_item_id = decided.id and action = 'approve' offset 0) decision`;
  const own = actor.kind === "publisher" ? sql`and decided.publisher_id = ${actor.accountId}` : sql``;
  return sql`
    select approved.total_budget_cents as total, approved.daily_budget_cents as daily, earlier.total_budget_cents as total_before, earlier.daily_budget_cents as daily_before
    from campaign_versions approved
    join campaign_versions earlier on earlier.campaign_id = approved.campaign_id
      and earlier.number = (select max(decision.version) from ${approvals} where decision.version < entry.approved ${own})
    where entry.approved is not null and approved.campaign_id = entry.campaign_id and approved.number = entry.approved
      and (approved.total_budget_cents, approved.daily_budget_cents) <> (earlier.total_budget_cents, earlier.daily_budget_cents)
      ${
        actor.kind === "publisher"
          ? sql``
          : sql`and entry.entity_id = (select decided.id from ${approvals} where decision.version = entry.approved order by decision.decided_at, decision.id limit 1)`
      } limit 1`;
}

/** Whether the entry sent no version after the first that this publisher got. */
function isFirstSent({ actor }: ReadCtx<TenantActor>): SQL {
  return sql`not exists (select from version_audiences part
    where part.campaign_id = entry.campaign_id and part.version < entry.sent and part.publisher_id = ${actor.accountId})`;
}

/**
 * Restricts marks to campaigns with an audience, a channel or a category. What a publisher was not sent does not count
 * for it, and what a publisher does to its own part of a campaign does not concern the audiences of another.
 */
function campaignFilters({ actor }: ReadCtx<TenantActor>, { audience, channel, category }: AnalyticsFilters): SQL {
  const { kind, accountId } = actor;
  const own = (column: SQL) => (kind === "publisher" ? sql`and ${column} = ${accountId}` : sql``);
  const filters: SQL[] = [];
  if (audience)
    filters.push(sql`and exists (select from version_audiences part where part.campaign_id = entry.campaign_id and part.audience_id = ${audience}
      ${own(sql`part.publisher_id`)} and (entry.action not in ('line_item.paused', 'line_item.resumed') or part.publisher_id = entry.account_id))`);
  if (channel)
    filters.push(sql`and exists (select from version_audiences part join campaign_versions version on version.campaign_id = part.campaign_id and version.number = part.version
      where part.campaign_id = entry.campaign_id ${own(sql`part.publisher_id`)} and ${channel} = any(version.channels))`);
  if (category !== undefined)
    filters.push(sql`and exists (select from line_items part join campaign_versions version on version.campaign_id = part.campaign_id
      and version.number = coalesce(part.approved_version, part.sent_version)
      where part.campaign_id = entry.campaign_id ${own(sql`part.publisher_id`)} and version.product_category = ${category})`);
  return sql.join(filters, sql` `);
}
