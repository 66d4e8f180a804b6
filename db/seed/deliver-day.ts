import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { Channel } from "#app/domain/campaigns/campaign.ts";
import { centsOrNull } from "#app/domain/campaigns/campaign-rows.server.ts";
import { type DeliveryBounds, mayDeliver } from "#app/domain/campaigns/may-deliver.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { centsOfMicros } from "#app/domain/money.ts";
import type { Database } from "#db/client.server.ts";
import { audiences, campaigns, campaignVersions, deliveries, lineItems, versionAudiences } from "#db/schema/index.ts";
import { chanceOf } from "./chance.ts";

type Performance = { ctr: number; converts: number; roas: number };

/**
 * What the running line items deliver on a day: only those that may, never over a day's or the total budget nor over the
 * frequency cap, each impression at its audience's frozen CPM. The same world delivers the same numbers.
 */
export async function deliverDay(input: {
  db: Database;
  day: CalendarDate;
  performances: ReadonlyMap<CampaignId, Performance>;
}): Promise<void> {
  const places = (await listPlaces(input.db)).flatMap((row) => placesOn(row, input.day));
  const rows = [...input.performances].flatMap(([id, performance]) =>
    deliver(
      places.filter((place) => place.campaignId === id),
      { day: input.day, performance },
    ),
  );
  if (rows.length > 0) await input.db.insert(deliveries).values(rows);
}

/** Each audience of each running line item's approved version. */
function listPlaces(db: Database) {
  const sent = alias(campaignVersions, "sent");
  return db
    .select({
      lineItem: lineItems,
      campaign: campaigns,
      approved: campaignVersions,
      sent,
      audience: audiences,
      cpmCents: versionAudiences.cpmCents,
    })
    .from(lineItems)
    .innerJoin(campaigns, eq(campaigns.id, lineItems.campaignId))
    .innerJoin(
      campaignVersions,
      and(eq(campaignVersions.campaignId, campaigns.id), eq(campaignVersions.number, lineItems.approvedVersion)),
    )
    .innerJoin(sent, and(eq(sent.campaignId, campaigns.id), eq(sent.number, lineItems.sentVersion)))
    .innerJoin(
      versionAudiences,
      and(
        eq(versionAudiences.campaignId, campaigns.id),
        eq(versionAudiences.version, lineItems.approvedVersion),
        eq(versionAudiences.publisherId, lineItems.publisherId),
      ),
    )
    .innerJoin(audiences, eq(audiences.id, versionAudiences.audienceId))
    .where(eq(lineItems.status, "active"))
    .orderBy(sql`${lineItems.id}, ${audiences.id}`);
}

type Row = Awaited<ReturnType<typeof listPlaces>>[number];
type Place = ReturnType<typeof placesOn>[number];

/** Where a line item's audience can be reached that day: one place for each channel. */
function placesOn({ lineItem, campaign, approved, sent, audience, cpmCents }: Row, day: CalendarDate) {
  const state = mayDeliver(
    {
      status: lineItem.status,
      approved: boundsOf(approved),
      sent: boundsOf(sent),
      spentCents: centsOfMicros(campaign.spendMicros),
    },
    day,
  );
  if (!state.may || !cpmCents) return [];
  const perDay = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30 }[approved.frequencyCapPeriod];
  return approved.channels.map((channel: Channel) => ({
    campaignId: campaign.id,
    campaignName: campaign.name,
    lineItemId: lineItem.id,
    audienceId: audience.id,
    channel,
    size: audience.size,
    most: Math.floor((audience.size * approved.frequencyCapImpressions * perDay) / approved.channels.length),
    microsAnImpression: cpmCents * 10,
    dailyMicros: state.dailyBudgetCents * 10_000,
    // The last of a budget is never quite used up.
    leftMicros: state.totalBudgetCents * 9_800 - Number(campaign.spendMicros),
  }));
}

function boundsOf(version: typeof campaignVersions.$inferSelect): DeliveryBounds {
  const { startDate, endDate, totalBudgetCents, dailyBudgetCents } = version;
  return {
    startDate,
    endDate,
    totalBudgetCents: centsOrNull(totalBudgetCents),
    dailyBudgetCents: centsOrNull(dailyBudgetCents),
  };
}

function deliver(places: Place[], { day, performance }: { day: CalendarDate; performance: Performance }) {
  const chance = chanceOf(`${places[0]?.campaignName} ${day}`);
  const weekend = [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay());
  const pace = (weekend ? 0.72 : 0.84) + chance() * 0.12;
  const daily = Math.min(...places.map((place) => place.dailyMicros)) * pace;
  const spendable = Math.max(0, Math.min(daily, ...places.map((place) => place.leftMicros)));
  const weights = places.map(
    (place) => place.size * (0.7 + 0.6 * chanceOf(`${place.campaignName} ${place.channel}`)()),
  );
  const allWeights = weights.reduce((sum, weight) => sum + weight, 0);
  return places.flatMap((place, index) => {
    const share = (spendable * (weights[index] ?? 0)) / allWeights;
    const impressions = Math.min(Math.floor(share / place.microsAnImpression), place.most);
    if (impressions <= 0) return [];
    const clicks = Math.floor(impressions * (performance.ctr / 100) * (0.85 + 0.3 * chance()) + chance());
    const conversions = Math.min(
      clicks,
      Math.floor(clicks * (performance.converts / 100) * (0.8 + 0.4 * chance()) + chance()),
    );
    // What a conversion brings, so that the promised return comes out over time.
    const order =
      (performance.roas * place.microsAnImpression) / ((performance.ctr / 100) * (performance.converts / 100));
    return [
      {
        lineItemId: place.lineItemId,
        day,
        audienceId: place.audienceId,
        channel: place.channel,
        impressions,
        clicks: Math.min(clicks, impressions),
        conversions,
        spendMicros: BigInt(impressions * place.microsAnImpression),
        revenueMicros: BigInt(conversions) * BigInt(Math.round((order * (0.9 + 0.2 * chance())) / 10_000) * 10_000),
      },
    ];
  });
}
