import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { channelLabels } from "#app/domain/campaigns/campaign.ts";
import type { DeliveryTotals } from "#app/domain/delivery/delivery-totals.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { CreativeThumbnail } from "#app/screens/shared/creatives/creative-thumbnail.tsx";
import { BrandMark } from "#app/ui/brand-mark.tsx";
import { Breakdown, type BreakdownPart, type BreakdownProps } from "#app/ui/chart/breakdown.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { FrequencyCard } from "./frequency-card.tsx";

/**
 * One campaign's delivery by day, channel, audience and creative, and its frequency; a publisher sees only its own line
 * item.
 */
export function DeliveryCards({
  delivery,
  spentCents,
  today,
}: {
  delivery: CampaignDelivery;
  spentCents: number;
  today: CalendarDate;
}) {
  const { days, channels, audiences, creatives, cap } = delivery;
  if (days.length === 0) {
    return (
      <Card title="Delivery" flush>
        <EmptyState title="Nothing delivered yet">
          Spend, impressions and clicks appear here by day, channel and audience once the campaign runs.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Card title="Delivery by day">
        <DeliveryByDay days={days} today={today} />
      </Card>
      <div className="two-columns">
        <Card title="By channel">
          <Breakdown
            title="Spend by channel"
            dimension="Channel"
            {...shared}
            parts={channels.map(
              (part): BreakdownPart => ({
                id: part.channel,
                label: channelLabels[part.channel],
                image: <BrandMark brand={part.channel} />,
                ...valuesOf(part),
              }),
            )}
            total={spentCents}
          />
        </Card>
        <Card title="By audience">
          <Breakdown
            title="Spend by audience"
            dimension="Audience"
            {...shared}
            parts={audiences.map((part): BreakdownPart => ({ id: part.id, label: part.name, ...valuesOf(part) }))}
            total={spentCents}
          />
        </Card>
      </div>
      <div className="two-columns">
        <Card title="By creative">
          <Breakdown
            title="Spend by creative"
            dimension="Creative"
            {...shared}
            parts={creatives.map(
              (part): BreakdownPart => ({
                id: part.id ?? "none",
                label: nameOf(part),
                image: part.creative ? <CreativeThumbnail creative={part.creative} /> : undefined,
                ...valuesOf(part),
              }),
            )}
            total={spentCents}
            empty="Channels did not report results by creative."
          />
        </Card>
        <FrequencyCard audiences={audiences} cap={cap} />
      </div>
    </>
  );
}

function nameOf({ id, creative }: CampaignDelivery["creatives"][number]): string {
  if (id === null) return "Not reported by creative";
  return creative?.name ?? "Deleted creative";
}

const shared: Pick<BreakdownProps, "measure" | "tableOnly"> = {
  measure: { label: "Spend", kind: "money" },
  tableOnly: [
    { label: "Impressions", kind: "count" },
    { label: "Clicks", kind: "count" },
    { label: "CTR", kind: "percent" },
    { label: "Conversions", kind: "count" },
  ],
};

function valuesOf({ spendCents, impressions, clicks, ctr, conversions }: DeliveryTotals) {
  return { value: spendCents, more: [impressions, clicks, ctrOf({ ctr, impressions }), conversions] };
}

/** Returns a row's CTR; null without impressions, which have none. */
function ctrOf({ ctr, impressions }: Pick<DeliveryTotals, "ctr" | "impressions">): number | null {
  return impressions === 0 ? null : ctr;
}

function DeliveryByDay({ days, today }: Pick<CampaignDelivery, "days"> & { today: CalendarDate }) {
  return (
    <TimeSeries
      title="Delivery by day"
      days={days.map(({ day }) => day)}
      today={today}
      lines={[
        { label: "Spend", kind: "money", values: days.map(({ spendCents }) => spendCents) },
        {
          label: "Impressions",
          kind: "count",
          values: days.map(({ impressions }) => impressions),
          variant: "second",
        },
      ]}
      tableOnly={[
        { label: "Clicks", kind: "count", values: days.map(({ clicks }) => clicks) },
        { label: "CTR", kind: "percent", values: days.map(ctrOf) },
        { label: "Conversions", kind: "count", values: days.map(({ conversions }) => conversions) },
      ]}
    />
  );
}
