import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { channelLabels } from "#app/domain/campaigns/campaign.ts";
import type { Delivered } from "#app/domain/delivery/delivered.ts";
import type { CampaignDelivery } from "#app/domain/delivery/get-campaign-delivery.server.ts";
import { Breakdown } from "#app/ui/chart/breakdown.tsx";
import { TimeSeries } from "#app/ui/chart/time-series.tsx";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { CreativeThumbnail } from "../creatives/creative-thumbnail.tsx";
import { FrequencyList } from "./frequency-list.tsx";

/** What one campaign delivered: by day, channel, audience and creative, and how often people saw it; of its own viewer's part alone. */
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
          Once the campaign runs, its spend, impressions and clicks are shown here by day, channel and audience.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Card title="Delivery by day">
        <DeliveryByDay days={days} today={today} />
      </Card>
      <div className="halves">
        <Card title="By channel">
          <Breakdown
            title="Spend by channel"
            of="Channel"
            {...shared}
            parts={channels.map((part) => ({
              id: part.channel,
              label: channelLabels[part.channel],
              ...valuesOf(part),
            }))}
            total={spentCents}
          />
        </Card>
        <Card title="By audience">
          <Breakdown
            title="Spend by audience"
            of="Audience"
            {...shared}
            parts={audiences.map((part) => ({ id: part.id, label: part.name, ...valuesOf(part) }))}
            total={spentCents}
          />
        </Card>
      </div>
      <div className="halves">
        <Card title="By creative">
          <Breakdown
            title="Spend by creative"
            of="Creative"
            {...shared}
            parts={creatives.map((part) => ({
              id: part.id ?? "none",
              label: nameOf(part),
              picture: part.creative ? <CreativeThumbnail creative={part.creative} /> : undefined,
              ...valuesOf(part),
            }))}
            total={spentCents}
            empty="No channel told which creatives were shown."
          />
        </Card>
        <FrequencyList audiences={audiences} cap={cap} />
      </div>
    </>
  );
}

function nameOf({ id, creative }: CampaignDelivery["creatives"][number]): string {
  if (id === null) return "Not told by creative";
  return creative?.name ?? "Deleted creative";
}

const shared = {
  measure: { label: "Spend", kind: "money" },
  also: [
    { label: "Impressions", kind: "count" },
    { label: "Clicks", kind: "count" },
    { label: "CTR", kind: "percent" },
    { label: "Conversions", kind: "count" },
  ],
} as const;

function valuesOf({ spendCents, impressions, clicks, ctr, conversions }: Delivered) {
  return { value: spendCents, more: [impressions, clicks, ctr, conversions] };
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
          look: "second",
          axis: "right",
        },
      ]}
      also={[
        { label: "Clicks", kind: "count", values: days.map(({ clicks }) => clicks) },
        { label: "CTR", kind: "percent", values: days.map(({ ctr }) => ctr) },
        { label: "Conversions", kind: "count", values: days.map(({ conversions }) => conversions) },
      ]}
    />
  );
}
