import { sql } from "drizzle-orm";
import { z } from "zod";
import { minimumAudienceSize, roundedSize } from "#app/domain/audiences/audience.ts";
import { consentUse } from "#app/domain/audiences/consent/audience-consent.ts";
import { publishedSizes } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { addDays, calendarDateOf } from "#app/domain/calendar-date.ts";
import { type Channel, channels } from "#app/domain/campaigns/campaign.ts";
import type { DeliveryBounds } from "#app/domain/campaigns/delivery-eligibility.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { ActivationSpec, ChannelAdapter } from "#app/domain/delivery/channels/channel-adapter.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { asksForConsent } from "#app/domain/delivery/channels/connectable.ts";
import { findDeniedAudiences } from "#app/domain/delivery/channels/denied-audiences.server.ts";
import type { DeliveryRow } from "#app/domain/delivery/delivery-row.ts";
import type { AudienceId, CampaignId } from "#app/domain/ids.ts";
import { asCents } from "#app/domain/money.ts";
import { columnValue, presentValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, campaigns, campaignVersions, lineItems } from "#db/schema/index.ts";
import { type SandboxCampaign, type SandboxRun, sandboxSource, simulateSandboxDay } from "./sandbox-day.ts";

/**
 * The adapter of every channel without a connected platform: it accepts every activation and reports simulated
 * delivery, which is collected where `SIMULATED_DELIVERY` is on.
 */
export function sandboxChannel(sandboxChannels: ReadonlySet<Channel> = new Set(channels)): ChannelAdapter {
  return {
    source: sandboxSource,
    everyHours: 1,
    activate: async (ctx, activation) => {
      await requireUsableAudience(ctx, activation);
      return { reference: `${activation.channel}/${activation.lineItemId}` };
    },
    update: async (ctx, activation) => {
      await requireUsableAudience(ctx, activation);
      return { reference: activation.reference };
    },
    pause: async () => {},
    fetchReport: (ctx, span) => fetchReport(ctx, { ...span, sandboxChannels }),
  };
}

/** Throws a ChannelError (`waiting`) while the consent for all audiences is denied, as a connected channel does. */
async function requireUsableAudience(ctx: Ctx<JobActor>, { audienceIds, channel }: ActivationSpec): Promise<void> {
  const denied = await findDeniedAudiences(ctx, { audienceIds, channel });
  if (denied.size === 0 || denied.size < audienceIds.length) return;
  throw new ChannelError("Consent is denied for all audiences", { problem: "waiting" });
}

/** The number of campaigns read at a time, to bound memory. */
const pageSize = 300;

async function* fetchReport(
  ctx: Ctx,
  { from, until, sandboxChannels }: { from: Date; until: Date; sandboxChannels: ReadonlySet<Channel> },
): AsyncIterable<DeliveryRow[]> {
  for (let after: string | undefined = ""; after !== undefined; ) {
    const sandboxCampaigns = await listCampaigns(ctx, { from, until, after, sandboxChannels });
    yield sandboxCampaigns.campaigns.flatMap((campaign) => deliverDays(campaign, { from, until }));
    after = sandboxCampaigns.next;
  }
}

/** Simulates day after day, because the spend of one day reduces the budget of the next. */
function deliverDays(campaign: SandboxCampaign, { from, until }: { from: Date; until: Date }): DeliveryRow[] {
  const rows: DeliveryRow[] = [];
  let { spentMicros } = campaign;
  for (let on = calendarDateOf(from); on <= calendarDateOf(until); on = addDays(on, 1)) {
    const delivered = simulateSandboxDay({ ...campaign, spentMicros }, { day: on, until: until.getTime() });
    for (const row of delivered) spentMicros += row.spendMicros;
    rows.push(...delivered);
  }
  return rows;
}

const runRow = z.object({
  campaignId: columnValue(campaigns.id),
  lineItemId: columnValue(lineItems.id),
  seed: z.string(),
  /** The start of the run, in milliseconds since 1970. */
  from: z.string(),
  to: z.string().nullable(),
  pacing: columnValue(campaigns.pacing),
  spentMicros: z.string(),
  startDate: presentValue(campaignVersions.startDate),
  endDate: presentValue(campaignVersions.endDate),
  total: z.string(),
  daily: z.string(),
  sentTotal: z.string(),
  sentDaily: z.string(),
  objective: presentValue(campaignVersions.objective),
  adFormat: presentValue(campaignVersions.adFormat),
  channels: columnValue(campaignVersions.channels),
  geolocations: columnValue(campaignVersions.geolocations),
  creativeIds: columnValue(campaignVersions.creativeIds),
  capImpressions: columnValue(campaignVersions.frequencyCapImpressions),
  capPeriod: columnValue(campaignVersions.frequencyCapPeriod),
  audiences: z
    .array(
      z.object({
        audienceId: columnValue(audiences.id),
        size: z.number(),
        status: columnValue(audiences.status),
        cpmCents: z.number(),
        segment: columnValue(audiences.segment),
        adUserData: columnValue(audiences.adUserDataConsent),
        adPersonalization: columnValue(audiences.adPersonalizationConsent),
      }),
    )
    .nullable(),
});

/**
 * Lists the campaigns that ran during the span, by ID, without the times when they were on hold for funds. Line items
 * with reports of another source are left out, so that real delivery is not mixed with simulated.
 */
async function listCampaigns(
  ctx: Ctx,
  {
    from,
    until,
    after,
    sandboxChannels,
  }: { from: Date; until: Date; after: string; sandboxChannels: ReadonlySet<Channel> },
): Promise<{ campaigns: SandboxCampaign[]; next: string | undefined }> {
  const first = calendarDateOf(from);
  const rows = await queryRows(
    ctx.db,
    runRow,
    sql`
      with ran as (
        select run.campaign_id, run.line_item_id, run.version, lower(part) as started_at, upper(part) as ended_at, item.publisher_id, item.sent_version
        from line_item_runs run join line_items item on item.id = run.line_item_id join campaigns owner on owner.id = run.campaign_id
        cross join lateral unnest(tstzmultirange(tstzrange(run.started_at, run.ended_at)) - coalesce(
          (select range_agg(tstzrange(hold.held_at, hold.released_at)) from funds_holds hold where hold.account_id = owner.advertiser_id), '{}')) part
        where (run.ended_at is null or run.ended_at > ${from.toISOString()}::timestamptz) and run.started_at < ${until.toISOString()}::timestamptz
          and not exists (select from line_item_months delivered join line_item_audience_days other on other.line_item_id = delivered.line_item_id
            and other.day >= delivered.month and other.day < (delivered.month + interval '1 month')::date
            where delivered.line_item_id = run.line_item_id and other.source <> ${sandboxSource})
      ), paged as (
        select distinct campaign_id from ran where campaign_id::text > ${after} order by 1 limit ${pageSize}
      )
      select ran.campaign_id as "campaignId", ran.line_item_id as "lineItemId", extract(epoch from ran.started_at) * 1000 as "from", extract(epoch from ran.ended_at) * 1000 as "to",
        concat(campaign.advertiser_id, ' ', extract(epoch from campaign.created_at)) as seed, campaign.pacing, (campaign.spend_micros - coalesce((select sum(since.spend_micros) from line_items part join line_item_days since on since.line_item_id = part.id
          where part.campaign_id = ran.campaign_id and since.day >= ${first}::date), 0))::text as "spentMicros",
        approved.start_date::text as "startDate", approved.end_date::text as "endDate", approved.total_budget_cents::text as "total", approved.daily_budget_cents::text as "daily",
        sent.total_budget_cents::text as "sentTotal", sent.daily_budget_cents::text as "sentDaily",
        approved.objective, approved.ad_format as "adFormat", approved.channels, approved.geolocations, approved.creative_ids as "creativeIds",
        approved.frequency_cap_impressions as "capImpressions", approved.frequency_cap_period as "capPeriod",
        (select json_agg(json_build_object('audienceId', audience.id, 'size', audience.size, 'status', audience.status, 'cpmCents', chosen.cpm_cents, 'segment', audience.segment, 'adUserData', audience.ad_user_data_consent, 'adPersonalization', audience.ad_personalization_consent) order by audience.id)
          from version_audiences chosen join audiences audience on audience.id = chosen.audience_id
          where chosen.campaign_id = ran.campaign_id and chosen.version = ran.version and chosen.publisher_id = ran.publisher_id and chosen.cpm_cents > 0) as audiences
      from paged join ran using (campaign_id) join campaigns campaign on campaign.id = ran.campaign_id
      join campaign_versions approved on approved.campaign_id = ran.campaign_id and approved.number = ran.version
      join campaign_versions sent on sent.campaign_id = ran.campaign_id and sent.number = ran.sent_version
      order by ran.campaign_id, ran.publisher_id, ran.started_at`,
  );
  const sizes = await listSizes(ctx, rows);
  const campaigns = new Map<CampaignId, SandboxCampaign & { runs: SandboxRun[] }>();
  for (const row of rows) {
    const { campaignId: id, seed, pacing, spentMicros } = row;
    const known = campaigns.get(id) ?? { id, seed, pacing, spentMicros: Number(spentMicros), runs: [] };
    campaigns.set(id, known);
    known.runs.push(toRun(row, { sandboxChannels, sizes }));
  }
  return {
    campaigns: [...campaigns.values()],
    next: campaigns.size < pageSize ? undefined : [...campaigns.keys()].at(-1),
  };
}

/**
 * Returns the size that is assumed for each audience: the lower bound of its published size. The simulated figures
 * depend on the size and nothing secret, so the real size could be derived from them.
 */
async function listSizes(ctx: Ctx, rows: readonly RunRow[]): Promise<Map<AudienceId, number>> {
  const chosen = rows.flatMap((row) => row.audiences ?? []);
  const ready = chosen.filter(({ status }) => status === "ready").map(({ audienceId }) => audienceId);
  const published = await publishedSizes(ctx, [...new Set(ready)]);
  return new Map(
    chosen.map(({ audienceId, size }) => [
      audienceId,
      published.get(audienceId)?.from ?? Math.max(minimumAudienceSize, roundedSize(size)),
    ]),
  );
}

type RunRow = z.output<typeof runRow>;

function toRun(
  row: RunRow,
  { sandboxChannels, sizes }: { sandboxChannels: ReadonlySet<Channel>; sizes: ReadonlyMap<AudienceId, number> },
): SandboxRun {
  const { objective, adFormat, startDate, endDate } = row;
  const through = row.channels.filter((channel) => sandboxChannels.has(channel));
  const bounds = (total: string, daily: string): DeliveryBounds => ({
    startDate,
    endDate,
    totalBudgetCents: asCents(Number(total)),
    dailyBudgetCents: asCents(Number(daily)),
  });
  return {
    lineItemId: row.lineItemId,
    from: Number(row.from),
    to: row.to === null ? Number.POSITIVE_INFINITY : Number(row.to),
    bounds: bounds(row.total, row.daily),
    sentBounds: bounds(row.sentTotal, row.sentDaily),
    cap: { impressions: row.capImpressions, period: row.capPeriod },
    geolocations: row.geolocations,
    creativeIds: row.creativeIds,
    placements: (row.audiences ?? []).flatMap((audience) =>
      through
        .filter((channel) => !asksForConsent(channel) || consentUse(audience) !== "nowhere")
        .map((channel) => ({
          ...audience,
          size: sizes.get(audience.audienceId) ?? 0,
          channel,
          objective,
          adFormat,
        })),
    ),
  };
}
