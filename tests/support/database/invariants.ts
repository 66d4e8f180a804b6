import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { ledgerInvariants } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { findBrokenFiles } from "#tests/support/creatives.ts";

const sums = sql.raw(
  "sum(impressions) as i, sum(clicks) as c, sum(conversions) as n, sum(spend_micros) as s, sum(revenue_micros) as r",
);
/** Each fact twice: from the advertiser's and from the publisher's side. */
const owned = sql.raw(`
  select side.account_id, item.commission_rate_bps as bps, fact.* from deliveries fact join line_items item on item.id = fact.line_item_id
  join campaigns owner on owner.id = item.campaign_id cross join lateral (values (item.publisher_id), (owner.advertiser_id)) side (account_id)`);

/** Rows that must never exist: each query returns the ids of those that do. */
const rules = {
  ...ledgerInvariants,
  "a campaign's status does not follow from its facts": sql`
    select c.id::text as id from campaigns c
    left join (
      select campaign_id, bool_or(approved_version is not null) as approved, bool_and(approval_status = 'rejected') as refused
      from line_items where withdrawn_at is null group by 1
    ) item on item.campaign_id = c.id
    where c.status <> case when c.completed_at is not null then 'completed' when c.launched_at is null then 'draft'
      when item.approved then case when c.paused_at is null then 'active' else 'paused' end
      when coalesce(item.refused, true) then 'draft' else 'pending' end`,
  "a line item runs on a version that its publisher never approved": sql`
    select item.id::text as id from line_items item where item.approved_version is not null and not exists (
      select 1 from decisions d where d.line_item_id = item.id and d.version = item.approved_version and d.action = 'approve')`,
  "what a line item says is not its last decision": sql`
    select item.id::text as id from line_items item
    left join decisions d on d.line_item_id = item.id and d.version = item.sent_version
    where item.completed_at is null and item.approval_status <> 'withdrawn'
      and item.approval_status <> case d.action when 'approve' then 'approved' when 'reject' then 'rejected' else 'pending' end`,
  "versions have a gap, or are not as many as this campaign says": sql`
    select c.id::text as id from campaigns c left join campaign_versions v on v.campaign_id = c.id
    group by c.id having count(v.number) <> c.version or coalesce(max(v.number), 0) <> c.version`,
  "a launched campaign asks other publishers than those of its newest version": sql`
    select c.id::text as id from campaigns c where c.version > 0 and c.completed_at is null
      and (select array_agg(distinct publisher_id order by publisher_id) from version_audiences where campaign_id = c.id and version = c.version)
        is distinct from (select array_agg(publisher_id order by publisher_id) from line_items where campaign_id = c.id and withdrawn_at is null and sent_version = c.version)`,
  "the advertiser's pause is not on all line items": sql`
    select item.id::text as id from line_items item join campaigns c on c.id = item.campaign_id
    where item.withdrawn_at is null and (item.advertiser_paused_at is null) <> (c.paused_at is null)`,
  "a campaign of a closed account can run": sql`
    select item.id::text as id from line_items item join campaigns c on c.id = item.campaign_id
    join accounts publisher on publisher.id = item.publisher_id join accounts advertiser on advertiser.id = c.advertiser_id
    where (publisher.closed_at is not null and item.status in ('active', 'paused') and item.publisher_paused_at is null)
      or (advertiser.closed_at is not null and c.status = 'active')`,
  "an approved audience has no frozen CPM": sql`
    select item.id::text as id from line_items item
    join version_audiences part on part.campaign_id = item.campaign_id and part.version = item.approved_version and part.publisher_id = item.publisher_id
    where part.cpm_cents is null`,
  // A closed account's audiences are archived whatever uses them: its line items are paused by itself, or undecided.
  "an archived audience is used, or waits to be": sql`
    select item.id::text as id from line_items item
    join version_audiences part on part.campaign_id = item.campaign_id and part.publisher_id = item.publisher_id
      and (part.version = item.approved_version or (part.version = item.sent_version and item.approval_status = 'pending'))
    join audiences a on a.id = part.audience_id and a.status = 'archived'
    join accounts publisher on publisher.id = item.publisher_id
    where item.status = 'active' or (publisher.closed_at is null and (item.status = 'paused' or item.approval_status = 'pending'))`,
  "a publisher runs more campaigns than its plan allows": sql`
    select a.id::text as id from accounts a
    left join subscriptions plan on plan.account_id = a.id and plan.status <> 'canceled'
    join line_items item on item.publisher_id = a.id and item.status in ('active', 'paused')
    where coalesce(plan.plan_type, 'starter') <> 'enterprise'
      -- What ran under a plan that is over goes on.
      and (plan.id is not null or not exists (select from subscriptions former where former.account_id = a.id))
    group by a.id, plan.plan_type having count(*) > case plan.plan_type when 'professional' then 25 else 5 end`,
  "a publisher's counters are not the sums of its line items": sql`
    select coalesce(kept.publisher_id, counted.publisher_id)::text as id from
      (select * from line_item_counts where line_items <> 0 or impressions <> 0) kept
    full join (select publisher_id, approval_status, status, managed_by_retailer, archived_at is not null as archived, count(*) as n, sum(impressions) as i
      from line_items group by 1, 2, 3, 4, 5) counted using (publisher_id, approval_status, status, managed_by_retailer, archived)
    where kept.line_items is distinct from counted.n or kept.impressions is distinct from counted.i`,
  "a campaign's counter is not the number of its rejected line items": sql`
    select campaign.id::text as id from campaigns campaign
    where campaign.rejected_line_items <> (select count(*) from line_items item where item.campaign_id = campaign.id and item.approval_status = 'rejected')`,
  "an audience's counter is not the number of line items that use it": sql`
    select coalesce(kept.audience_id, counted.audience_id)::text as id from (select * from audience_uses where line_items <> 0) kept
    full join (
      select part.audience_id, count(distinct item.id) as n from version_audiences part
      join line_items item on item.campaign_id = part.campaign_id and item.publisher_id = part.publisher_id
        and (part.version = item.approved_version or (part.version = item.sent_version and item.approval_status = 'pending'))
      group by 1
    ) counted using (audience_id) where kept.line_items is distinct from counted.n`,
  "a product's list of what shows it differs from the versions of campaigns": sql`
    select coalesce(kept.campaign_id, shown.campaign_id)::text as id from (select true as is_kept, * from product_uses) kept
    full join (
      select distinct true as is_shown, owner.advertiser_id, unnest(v.product_ids) as product_id, owner.id as campaign_id
      from campaigns owner join line_items item on item.campaign_id = owner.id
      join campaign_versions v on v.campaign_id = owner.id and (v.number = item.approved_version or (v.number = item.sent_version and item.approval_status = 'pending'))
      where owner.status in ('pending', 'active', 'paused') and item.status <> 'withdrawn'
    ) shown using (advertiser_id, product_id, campaign_id) where kept.is_kept is distinct from shown.is_shown`,
  "a creative's list of what shows it differs from the versions of campaigns": sql`
    select coalesce(kept.campaign_id, shown.campaign_id)::text as id from (select true as is_kept, * from creative_uses) kept
    full join (
      select distinct true as is_shown, unnest(v.creative_ids) as creative_id, owner.id as campaign_id
      from campaigns owner join line_items item on item.campaign_id = owner.id
      join campaign_versions v on v.campaign_id = owner.id and (v.number = item.approved_version or (v.number = item.sent_version and item.approval_status = 'pending'))
      where owner.status in ('pending', 'active', 'paused') and item.status <> 'withdrawn'
    ) shown using (creative_id, campaign_id) where kept.is_kept is distinct from shown.is_shown`,
  "an advertiser's counters are not the numbers of its campaigns": sql`
    select coalesce(kept.advertiser_id, counted.advertiser_id)::text as id from
      (select * from campaign_counts where campaigns <> 0) kept
    full join (select advertiser_id, status, archived_at is not null as archived, count(*) as n from campaigns group by 1, 2, 3) counted
      using (advertiser_id, status, archived)
    where kept.campaigns is distinct from counted.n`,
  "a counter of delivery is not its sum": sql`
    select item.id::text as id from line_items item left join (select line_item_id, ${sums} from deliveries group by 1) d on d.line_item_id = item.id
    where (item.impressions, item.clicks, item.conversions, item.spend_micros, item.revenue_micros) is distinct from
      (coalesce(d.i, 0), coalesce(d.c, 0), coalesce(d.n, 0), coalesce(d.s, 0), coalesce(d.r, 0))
    union all select c.id::text from campaigns c left join (select campaign_id, ${sums} from line_items group by 1) d on d.campaign_id = c.id
    where (c.impressions, c.clicks, c.conversions, c.spend_micros, c.revenue_micros) is distinct from
      (coalesce(d.i, 0), coalesce(d.c, 0), coalesce(d.n, 0), coalesce(d.s, 0), coalesce(d.r, 0))`,
  "a line item's day is not the sum of its facts": sql`
    select coalesce(kept.line_item_id, d.line_item_id)::text as id from line_item_days kept
    full join (select line_item_id, day, ${sums}, sum(reported_micros) as o from deliveries group by 1, 2) d using (line_item_id, day)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros, kept.reported_micros) is distinct from (d.i, d.c, d.n, d.s, d.r, d.o)`,
  "what a creative delivered is not the sum of what its facts say": sql`
    select coalesce(kept.line_item_id, d.line_item_id)::text as id from line_item_creatives kept
    full join (
      select line_item_id, creative_id, sum(part.impressions) as i, sum(part.clicks) as c, sum(part.conversions) as n, sum(part.spend_micros) as s, sum(part.revenue_micros) as r
      from deliveries cross join lateral jsonb_to_recordset(creatives) as part (creative_id uuid, impressions bigint, clicks bigint, conversions bigint, spend_micros bigint, revenue_micros bigint)
      group by 1, 2) d using (line_item_id, creative_id)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros) is distinct from
      (coalesce(d.i, 0), coalesce(d.c, 0), coalesce(d.n, 0), coalesce(d.s, 0), coalesce(d.r, 0))`,
  "a counter of a line item's month is not the sum of its days": sql`
    select coalesce(kept.line_item_id, d.line_item_id)::text as id from line_item_months kept
    full join (select line_item_id, date_trunc('month', day::timestamp)::date as month, ${sums} from line_item_days group by 1, 2) d using (line_item_id, month)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros) is distinct from (d.i, d.c, d.n, d.s, d.r)`,
  "an account's list of what delivered in a month differs from the months of its line items": sql`
    select coalesce(kept.line_item_id, known.line_item_id)::text as id from account_line_item_months kept
    full join (
      select owner.account_id, month, line_item_id from line_item_months join line_items item on item.id = line_item_id join campaigns on campaigns.id = item.campaign_id
      cross join lateral (values (campaigns.advertiser_id), (item.publisher_id)) owner (account_id)
    ) known using (account_id, month, line_item_id)
    where (kept.line_item_id is null) <> (known.line_item_id is null)`,
  "a roll-up of an account's day on a channel is not the sum of its facts": sql`
    select coalesce(kept.account_id, d.account_id)::text as id from account_days kept
    full join (select account_id, day, channel, ${sums}, sum(spend_micros * bps) as e from (${owned}) owned group by 1, 2, 3) d using (account_id, day, channel)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros, kept.earned_units) is distinct from (d.i, d.c, d.n, d.s, d.r, d.e)`,
  "a roll-up of an account's day on an audience is not the sum of its facts": sql`
    select coalesce(kept.account_id, d.account_id)::text as id from account_audience_days kept
    full join (select account_id, audience_id, day, channel, ${sums}, sum(spend_micros * bps) as e from (${owned}) owned group by 1, 2, 3, 4) d
      using (account_id, audience_id, day, channel)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros, kept.earned_units) is distinct from (d.i, d.c, d.n, d.s, d.r, d.e)`,
  "a line item has another category than its version, or no roll-up by category": sql`
    select item.id::text as id from line_items item join campaigns owner on owner.id = item.campaign_id
    left join campaign_versions v on v.campaign_id = item.campaign_id and v.number = coalesce(item.approved_version, item.sent_version)
    left join line_item_categories kept on kept.line_item_id = item.id
    where (kept.advertiser_id, kept.publisher_id, kept.category) is distinct from (owner.advertiser_id, item.publisher_id, coalesce(v.product_category, ''))
      or kept.summed_category is null`,
  "a line item's month on an audience and a channel is not the sum of its facts": sql`
    select coalesce(kept.line_item_id, d.line_item_id)::text as id from line_item_audience_months kept
    full join (select line_item_id, date_trunc('month', day::timestamp)::date as month, audience_id, channel, ${sums} from deliveries group by 1, 2, 3, 4) d
      using (line_item_id, month, audience_id, channel)
    where (kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros) is distinct from (d.i, d.c, d.n, d.s, d.r)`,
  "a roll-up of an account's day in a category is not the sum of its facts": sql`
    select coalesce(kept.account_id, d.account_id)::text as id from account_category_days kept
    full join (
      select account_id, day, known.summed_category as category, audience_id, channel, count(*) as facts, ${sums}, sum(spend_micros * bps) as e
      from (${owned}) owned join line_item_categories known using (line_item_id) group by 1, 2, 3, 4, 5) d using (account_id, day, category, audience_id, channel)
    where (kept.facts, kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros, kept.earned_units) is distinct from (d.facts, d.i, d.c, d.n, d.s, d.r, d.e)`,
  "a roll-up of an account's month in a category is not the sum of its days": sql`
    select coalesce(kept.account_id, d.account_id)::text as id
    from (select * from account_category_months where facts <> 0 or impressions <> 0 or spend_micros <> 0 or revenue_micros <> 0 or earned_units <> 0) kept
    full join (
      select account_id, date_trunc('month', day::timestamp)::date as month, category, audience_id, channel, sum(facts) as facts, ${sums}, sum(earned_units) as e
      from account_category_days group by 1, 2, 3, 4, 5) d using (account_id, month, category, audience_id, channel)
    where (kept.facts, kept.impressions, kept.clicks, kept.conversions, kept.spend_micros, kept.revenue_micros, kept.earned_units) is distinct from (d.facts, d.i, d.c, d.n, d.s, d.r, d.e)`,
  "a fact has another history than its revisions": sql`
    select d.line_item_id::text as id from deliveries d left join delivery_revisions kept using (line_item_id, day, audience_id, channel, source)
    group by d.line_item_id, d.day, d.audience_id, d.channel, d.source, d.revision having count(kept.revision) <> d.revision - 1`,
  "a campaign spent more than any version of it allows, in all or on a day": sql`
    select c.id::text as id from campaigns c join (select campaign_id, max(total_budget_cents) as total from campaign_versions group by 1) v on v.campaign_id = c.id
    where c.spend_micros > v.total * 10000
    union all select item.campaign_id::text from line_item_days d join line_items item on item.id = d.line_item_id
      join (select campaign_id, max(daily_budget_cents) as daily from campaign_versions group by 1) v on v.campaign_id = item.campaign_id
    group by item.campaign_id, d.day, v.daily having sum(d.spend_micros) > v.daily * 10000`,
  "a campaign goes on that has used up every budget of its": sql`
    select c.id::text as id from campaigns c join (select campaign_id, max(total_budget_cents) as total from campaign_versions group by 1) v on v.campaign_id = c.id
    where c.status in ('active', 'paused') and c.spend_micros >= v.total * 10000`,
  "a line item runs without a run, or has one without running": sql`
    select item.id::text as id from line_items item left join line_item_runs run on run.line_item_id = item.id and run.ended_at is null
    where (item.status = 'active') <> (run.line_item_id is not null) or run.version <> item.approved_version`,
  "a channel is not ordered what its line item wants": sql`
    select item.id::text as id from line_items item join campaign_versions v on v.campaign_id = item.campaign_id and v.number = item.approved_version
    cross join lateral unnest(v.channels) wanted (channel) left join channel_activations o on o.line_item_id = item.id and o.channel = wanted.channel
    where item.status = 'active' and not exists (select from campaigns c join funds_holds hold on hold.account_id = c.advertiser_id and hold.released_at is null where c.id = item.campaign_id)
      and (o.desired_state, o.desired_version) is distinct from ('active', item.approved_version)
    union all select o.line_item_id::text from channel_activations o join line_items item on item.id = o.line_item_id
    join campaigns c on c.id = item.campaign_id left join funds_holds hold on hold.account_id = c.advertiser_id and hold.released_at is null
    where o.desired_state = 'active' and (item.status <> 'active' or o.desired_version <> item.approved_version or hold.account_id is not null)
      or o.due_at is null and o.desired_state = 'active' and (o.confirmed_state, o.confirmed_version) is distinct from ('active', o.desired_version)
      or o.due_at is null and o.desired_state = 'paused' and (o.confirmed_state = 'active' or o.problem is not null)`,
  "an advertiser's history does not begin with waiting for funds": sql`
    select a.id::text as id from accounts a where (a.type = 'advertiser') <> exists (select from funds_holds hold where hold.account_id = a.id)`,
  "an advertiser waited for funds twice at one time": sql`
    select one.account_id::text as id from funds_holds one join funds_holds other on other.account_id = one.account_id and other.ctid <> one.ctid
      and other.held_at >= one.held_at and other.held_at < coalesce(one.released_at, 'infinity')
      and other.held_at < coalesce(other.released_at, 'infinity')`,
  "a channel's copy of an audience is looked at too late": sql`
    select there.audience_id::text as id from channel_audiences there join audiences a on a.id = there.audience_id
    where there.failures = 0 and (there.version < a.version or a.status = 'archived')
      and there.due_at > greatest(a.refreshed_at, a.archived_at, there.sent_at) + interval '1 hour'`,
  "a line item ran twice at one time": sql`
    select one.line_item_id::text as id from line_item_runs one join line_item_runs other on other.line_item_id = one.line_item_id
      and other.started_at > one.started_at and other.started_at < coalesce(one.ended_at, 'infinity')`,
  "a decision has no line in the audit trail, or several": sql`
    select d.id::text as id from decisions d left join audit_entries line on line.entity_id = d.line_item_id
      and line.action = 'line_item.' || d.action || case d.action when 'approve' then 'd' else 'ed' end and (line.after ->> 'version')::int = d.version
    group by d.id having count(line.id) <> 1`,
  "a version was sent without a line in the audit trail, or with several": sql`
    select v.campaign_id || ' ' || v.number as id from campaign_versions v left join audit_entries line on line.entity_id = v.campaign_id
      and line.action in ('campaign.launched', 'campaign.sent') and (line.after ->> 'version')::int = v.number
    group by v.campaign_id, v.number having count(line.id) <> 1`,
  "a campaign was made without a line in the audit trail, or with several": sql`
    select c.id::text as id from campaigns c left join audit_entries line on line.entity_id = c.id and line.action = 'campaign.created'
    where c.managed_by_publisher_id is null group by c.id having count(line.id) <> 1`,
  "an account belongs to nobody": sql`
    select a.id::text as id from accounts a where a.closed_at is null and not exists (select 1 from users u where u.account_id = a.id)`,
  "an audience's size is not the number of people in its blocks": sql`
    select a.id::text as id from audiences a
    where a.version > 0 and not exists (select from audience_objects o where o.audience_id = a.id) and a.size <> (
      select count(*) from audience_blocks b, generate_series(0, length(b.flags) - 1) as place
      where b.audience_id = a.id and b.generation = a.generation and get_byte(b.flags, place) % 2 = 0
        and a.deltas is null) + (
      select count(*) from (
        select distinct on (substr(b.hashes, 32 * place + 1, 32)) get_byte(b.flags, place) as flags
        from (select a.generation, 0 as number union all select (delta ->> 'generation')::int, number from jsonb_array_elements(a.deltas -> 'list') with ordinality list (delta, number)) layer
        join audience_blocks b on b.audience_id = a.id and b.generation = layer.generation, generate_series(0, length(b.flags) - 1) as place
        where a.deltas is not null
        order by substr(b.hashes, 32 * place + 1, 32), layer.number desc) newest
      where flags % 2 = 0)`,
  "an audience is offered with too few people, or not with enough": sql`
    select id::text as id from audiences
    where (status = 'ready' and size < 1000) or (version > 0 and archived_at is null and (status = 'ready') <> (size >= 1000))`,
  "an audience's versions have a gap, or its newest has another size": sql`
    select a.id::text as id from audiences a left join audience_versions v on v.audience_id = a.id
    group by a.id having count(v.number) <> a.version or coalesce(max(v.number), 0) <> a.version
      or max(v.size) filter (where v.number = a.version) <> a.size`,
  "a change of an audience has no line in the audit trail, or several": sql`
    select a.id::text as id from audiences a where a.version <> (
      select count(*) from audit_entries line where line.entity_id = a.id
        and line.action in ('audience.uploaded', 'audience.members_changed', 'audience.erased'))`,
  "an upload made a version and did not succeed, or made several": sql`
    select u.id::text as id from audience_uploads u join audience_versions v on v.upload_id = u.id
    group by u.id having u.status <> 'succeeded' or count(*) > 1 or max(v.size) <> u.size`,
  "a generation is not where its audience says": sql`
    select a.id::text as id from audiences a
    cross join lateral (select a.generation, a.object_generation is not null as is_in_objects
      union all select (delta ->> 'generation')::int, coalesce(delta ->> 'store' = 'objects', false) from jsonb_array_elements(a.deltas -> 'list') delta) layer
    where case when layer.is_in_objects then exists (select from audience_blocks b where b.audience_id = a.id and b.generation = layer.generation)
      else exists (select from audience_objects o where o.audience_id = a.id and o.generation = layer.generation) end`,
  "people are left of an upload that no audience names": sql`
    select distinct b.audience_id || ' ' || b.generation as id
    from (select audience_id, generation from audience_blocks union all select audience_id, generation from audience_objects) b join audiences a on a.id = b.audience_id
    where b.generation <> a.generation and not exists (select from jsonb_array_elements(a.deltas -> 'list') delta where (delta ->> 'generation')::int = b.generation)
      and not exists (select 1 from audience_uploads u where u.audience_id = a.id and u.status = 'running')`,
  "an upload is in progress for too long": sql`
    select id::text as id from audience_uploads where status = 'running' and heartbeat_at < now() - interval '3 minutes'`,
  "an idempotency key was kept without its answer": sql`
    select key as id from idempotency_keys where response_status is null or response_body is null`,
} satisfies Record<string, SQL>;

/** Not checked in the database alone: the test's process must have the storage that the database refers to. */
const filesRule = "a creative has no file, or a file no creative";

export type InvariantName = keyof typeof rules | typeof filesRule;

type RulesToCheck = {
  /** Also checks the storage of this process. */
  withFiles?: boolean;
  /** Limits the check to the rules whose name matches. */
  only?: (rule: string) => boolean;
};

/** Returns the violations in the database by rule; empty if there are none. */
export async function findBrokenInvariants(
  db: Database,
  { withFiles = false, only = () => true }: RulesToCheck = {},
): Promise<Record<string, string[]>> {
  const broken: Record<string, string[]> = {};
  const checked = Object.entries(rules).filter(([rule]) => only(rule));
  const selects = checked.map(([rule, query]) => sql`select ${rule}::text as rule, broken.id from (${query}) broken`);
  // Counting ten million people takes longer than a request may wait.
  const { db: patient } = withDeadline({ db }, 120_000);
  // One statement for all takes half the time of one for each, which Citus needs to plan them.
  const statements = process.env.CITUS_URL || selects.length === 0 ? selects : [sql.join(selects, sql` union all `)];
  for (const statement of statements) {
    const rows = await queryRows(patient, z.object({ rule: z.string(), id: z.string() }), statement);
    for (const { rule, id } of rows) broken[rule] = [...(broken[rule] ?? []), id];
  }
  const files = withFiles && only(filesRule) ? await findBrokenFiles(db) : [];
  if (files.length > 0) broken[filesRule] = files;
  return broken;
}
