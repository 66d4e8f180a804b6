import { formatFlight } from "#app/domain/calendar-date.ts";
import { channelLabels, notSelected } from "#app/domain/campaigns/campaign.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { Chips } from "#app/ui/badge.tsx";
import { formatCount } from "#app/ui/format.ts";
import { Progress } from "#app/ui/progress.tsx";
import type { ListedCampaignView as Row } from "./load-campaigns.server.ts";

export function Channels({ channels }: { channels: Row["channels"] }) {
  return (
    <Chips max={1} items={channels.length > 0 ? channels.map((channel) => channelLabels[channel]) : [notSelected]} />
  );
}

export function Spending({ campaign: { spentCents, totalBudgetCents } }: { campaign: Row }) {
  if (totalBudgetCents === null) return <span className="text-muted font-normal">Not set</span>;
  return (
    <div className="spending">
      <strong className="text-ink">{formatCentsShort(spentCents)}</strong>
      <Progress value={spentCents / totalBudgetCents} label="Share of budget spent" />
      <small>{`of ${formatCentsShort(totalBudgetCents)}`}</small>
    </div>
  );
}

export function Performance({ campaign: { impressions, clicks, ctr } }: { campaign: Row }) {
  return (
    <>
      <strong className="text-ink">{formatCount(impressions)}</strong>
      <small className="whitespace-nowrap">
        {formatCount(clicks)} <span className="sr-only">clicks</span> · {ctr}
        <span className="sr-only"> CTR</span>
      </small>
    </>
  );
}

/** Breaks the line between the two dates, never inside one. */
export function Flight({ campaign: { startDate, endDate } }: { campaign: Row }) {
  const [from = "", to] = formatFlight(startDate, endDate).split(" – ");
  return (
    <>
      {to ? `${from} –` : from}
      {to ? <br /> : null}
      {to}
    </>
  );
}
