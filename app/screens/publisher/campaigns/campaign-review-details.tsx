import type { ReactNode } from "react";
import { notSet } from "#app/domain/campaigns/campaign.ts";
import { type CampaignContent, campaignFieldRows, type ShownField } from "#app/domain/campaigns/campaign-fields.ts";
import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { describeChannels, describeFlight, describeFrequencyCap } from "#app/screens/shared/campaigns/campaign-copy.ts";
import { campaignFacts, type FactOverrides } from "#app/screens/shared/campaigns/campaign-facts.ts";
import { ExternalLink } from "#app/ui/external-link.tsx";
import { formatCount } from "#app/ui/format.ts";
import { DescriptionList } from "#app/ui/page-header.tsx";

type ComparedContent = Omit<CampaignContent, "productIds" | "audienceIds">;

/**
 * Everything that a publisher decides about, and its differences from the version it approved: the old value struck
 * through, then the new one. `audienceNames` names audiences that the new version no longer has.
 */
export function CampaignReviewDetails({
  campaign,
  audienceNames,
}: {
  campaign: LineItemDetail;
  audienceNames: Readonly<Record<string, string>>;
}) {
  const { approvedContent: before } = campaign;
  const compare = (read: (content: ComparedContent) => string) => (
    <Difference before={before && read(before)} now={read(campaign)} />
  );
  return (
    <DescriptionList
      facts={campaignFacts({
        rows: campaignFieldRows.filter(({ key, name }) => key in campaign || listedBeside.includes(name)),
        order,
        overrides: {
          ...shownElsewhere,
          ...combined(compare),
          selected_products: campaign.changedFields.includes("productIds")
            ? { value: <ins>Changed since you approved</ins> }
            : null,
          landing_url: { wide: true, value: <LandingPages campaign={campaign} /> },
          selected_audiences: {
            label: "Audiences selected",
            wide: true,
            value: <AudienceChips campaign={campaign} audienceNames={audienceNames} />,
          },
        },
        show: ({ key, reviewed, show }) =>
          reviewed ? compare((content) => show(Reflect.get(content, key))) : show(Reflect.get(campaign, key)),
      })}
    />
  );
}

const order: readonly ShownField[] = [
  "objective",
  "ad_format",
  "budget",
  "daily_budget",
  "start_date",
  "geolocations",
  "frequency_cap_impressions",
  "channel_type",
  "pacing",
  "selected_products",
  "landing_url",
  "selected_audiences",
];

/** A publisher's view has its own audiences as rows, and of the products only whether they changed. */
const listedBeside: readonly ShownField[] = ["selected_products", "selected_audiences"];

/** The page has the name, and the creatives below. */
const shownElsewhere: FactOverrides = { name: null, creative_ids: null, creative_preview_url: null };

/** Facts that hold two fields. */
function combined(compare: (read: (content: ComparedContent) => string) => ReactNode): FactOverrides {
  return {
    start_date: {
      label: "Campaign period",
      value: compare(({ startDate, endDate }) => describeFlight(startDate, endDate)),
    },
    end_date: null,
    geolocations: { label: "Geolocation" },
    frequency_cap_impressions: {
      value: compare(({ frequencyCapImpressions, frequencyCapPeriod }) =>
        describeFrequencyCap(frequencyCapImpressions, frequencyCapPeriod),
      ),
    },
    frequency_cap_period: null,
    channel_type: {
      value: compare(({ channelType, channels }) => describeChannels(channelType, [...channels].sort())),
    },
    channels: null,
  };
}

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
      {approvedContent && before !== landingUrl ? <Was>{before ?? notSet}</Was> : null}{" "}
      {landingUrl ? <ExternalLink url={landingUrl} /> : notSet}
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
          <Was>{audienceNames[id] ?? "Archived audience"}</Was>
        </span>
      ))}
    </span>
  );
}
