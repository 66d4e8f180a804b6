import { displayCampaignName, notSelected, notSet } from "#app/domain/campaigns/campaign.ts";
import type { CampaignValues, ShownField } from "#app/domain/campaigns/campaign-fields.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { describeChannels, describeFlight, describeFrequencyCap } from "#app/screens/shared/campaigns/campaign-copy.ts";
import { campaignFacts, type FactOverrides } from "#app/screens/shared/campaigns/campaign-facts.ts";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { Chips } from "#app/ui/badge.tsx";
import { ExternalLink } from "#app/ui/external-link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

type Shown = Pick<CampaignDetail, "audiences" | "products" | "creatives"> & { campaign: CampaignValues };

const order: readonly ShownField[] = [
  "objective",
  "ad_format",
  "budget",
  "daily_budget",
  "start_date",
  "pacing",
  "frequency_cap_impressions",
  "channels",
  "geolocations",
  "landing_url",
  "creative_ids",
  "selected_audiences",
  "selected_products",
];

/** What the campaign consists of now, sent or not. */
export function ContentCard({ campaign, audiences, products, creatives, brand }: Shown & { brand: string }) {
  return (
    <Card title="Campaign">
      <div className="stack">
        <DescriptionList
          facts={campaignFacts({
            order,
            overrides: overridesOf({ campaign, audiences, products }),
            show: ({ key, show }) => show(Reflect.get(campaign, key)),
          })}
        />
        <CreativePreviews
          creatives={creatives}
          ad={{
            adFormat: campaign.adFormat,
            brand,
            headline: displayCampaignName(campaign.name),
            landingUrl: campaign.landingUrl,
          }}
        />
      </div>
    </Card>
  );
}

/** The page has the name, the previews have the creatives, and some facts hold two fields. */
function overridesOf({ campaign, audiences, products }: Omit<Shown, "creatives">): FactOverrides {
  const { startDate, endDate, frequencyCapImpressions, frequencyCapPeriod, landingUrl } = campaign;
  const publishers = audiences.map((audience) => `${audience.name} · ${audience.publisherName}`);
  return {
    name: null,
    creative_preview_url: null,
    start_date: { label: "Campaign period", value: describeFlight(startDate, endDate) },
    end_date: null,
    frequency_cap_impressions: { value: describeFrequencyCap(frequencyCapImpressions, frequencyCapPeriod) },
    frequency_cap_period: null,
    channels: { value: channelsOf(campaign), wide: true },
    channel_type: null,
    geolocations: { wide: true },
    landing_url: { value: landingUrl ? <ExternalLink url={landingUrl} /> : notSet, wide: true },
    selected_audiences: { value: <Names names={publishers} />, wide: true },
    selected_products: { value: <Names names={products.map((product) => product.name)} />, wide: true },
  };
}

function channelsOf({ channelType, channels }: CampaignValues): string {
  return channels.length > 0 ? describeChannels(channelType, channels) : notSelected;
}

function Names({ names }: { names: readonly string[] }) {
  return names.length > 0 ? <Chips items={names} /> : notSelected;
}
