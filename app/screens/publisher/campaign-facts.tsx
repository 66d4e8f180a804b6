import type { ReactNode } from "react";
import { adFormatLabels, objectiveLabels, pacingLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-content.ts";
import type { LineItemDetail } from "#app/domain/campaigns/get-line-item.server.ts";
import {
  notSelected,
  wordsOfBudget,
  wordsOfCap,
  wordsOfChannels,
  wordsOfDuration,
  wordsOfLocations,
} from "#app/screens/shared/campaign-words.ts";
import { formatCount } from "#app/ui/format.ts";
import { Facts } from "#app/ui/layout.tsx";
import { OutsideLink } from "#app/ui/outside-link.tsx";

type Comparable = Omit<CampaignContent, "productIds" | "audienceIds">;

/**
 * All that a publisher decides about, and where it differs from the version it approved: what was, struck through, and
 * what would be. `audienceNames` names audiences that the new version no longer has.
 */
export function CampaignFacts({
  campaign,
  audienceNames,
}: {
  campaign: LineItemDetail;
  audienceNames: Readonly<Record<string, string>>;
}) {
  const { approvedContent: before } = campaign;
  const facts = readings.map(({ label, read, wide }) => ({
    label,
    wide,
    value: <Difference before={before && read(before)} now={read(campaign)} />,
  }));
  return (
    <Facts
      facts={[
        ...facts,
        { label: "Pacing", value: pacingLabels[campaign.pacing] },
        ...(campaign.changedFields.includes("productIds")
          ? [{ label: "Products", value: <ins>Changed since you approved</ins> }]
          : []),
        { label: "Landing page", wide: true, value: <LandingPages campaign={campaign} /> },
        {
          label: "Audiences selected",
          wide: true,
          value: <AudienceChips campaign={campaign} audienceNames={audienceNames} />,
        },
      ]}
    />
  );
}

const readings: { label: string; read: (content: Comparable) => string; wide?: boolean }[] = [
  { label: "Objective", read: ({ objective }) => (objective ? objectiveLabels[objective] : notSelected) },
  { label: "Ad format", read: ({ adFormat }) => (adFormat ? adFormatLabels[adFormat] : notSelected) },
  { label: "Total budget", read: ({ totalBudgetCents }) => wordsOfBudget(totalBudgetCents) },
  { label: "Daily budget", read: ({ dailyBudgetCents }) => wordsOfBudget(dailyBudgetCents) },
  { label: "Campaign period", read: ({ startDate, endDate }) => wordsOfDuration(startDate, endDate) },
  { label: "Geolocation", read: ({ geolocations }) => wordsOfLocations(geolocations) },
  {
    label: "Frequency cap",
    read: ({ frequencyCapImpressions, frequencyCapPeriod }) => wordsOfCap(frequencyCapImpressions, frequencyCapPeriod),
  },
  { label: "Channel type", read: ({ channelType, channels }) => wordsOfChannels(channelType, [...channels].sort()) },
];

function Difference({ before, now }: { before: string | undefined; now: string }) {
  if (before === undefined || before === now) return now;
  return (
    <>
      <Was>{before}</Was> <ins>{now}</ins>
    </>
  );
}

function Was({ children }: { children: ReactNode }) {
  return (
    <del>
      <span className="sr-only">was </span>
      {children}
    </del>
  );
}

function LandingPages({ campaign: { landingUrl, approvedContent } }: { campaign: LineItemDetail }) {
  const before = approvedContent?.landingUrl ?? null;
  return (
    <>
      {approvedContent && before !== landingUrl ? <Was>{before ?? notSelected}</Was> : null}{" "}
      {landingUrl ? <OutsideLink url={landingUrl} /> : notSelected}
    </>
  );
}

function AudienceChips({
  campaign: { audiences, approvedContent },
  audienceNames,
}: {
  campaign: LineItemDetail;
  audienceNames: Readonly<Record<string, string>>;
}) {
  const approved = approvedContent?.audienceIds;
  const dropped = approved?.filter((id) => audiences.every((audience) => audience.id !== id)) ?? [];
  return (
    <span className="chips">
      {audiences.map(({ id, name, size }) => (
        <span key={id} className="chip">
          {name} · {formatCount(size)}
          {approved && !approved.includes(id) ? <ins className="text-accent"> · added</ins> : null}
        </span>
      ))}
      {dropped.map((id) => (
        <span key={id} className="chip">
          <Was>{audienceNames[id] ?? "An archived audience"}</Was>
        </span>
      ))}
    </span>
  );
}
