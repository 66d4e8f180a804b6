import { pacingLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { contentLabels, wordsOfField, wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { notSelected, wordsOfCap, wordsOfChannels, wordsOfDuration } from "#app/screens/shared/campaign-words.ts";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { Chips } from "#app/ui/badge.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";
import { OutsideLink } from "#app/ui/outside-link.tsx";

/** What the campaign consists of now, sent or not. */
export function ContentCard({
  name,
  pacing,
  content,
  audiences,
  products,
  creatives,
  brand,
}: Pick<CampaignDetail, "name" | "pacing" | "content" | "audiences" | "products" | "creatives"> & { brand: string }) {
  return (
    <Card title="Campaign">
      <div className="stack">
        <Facts
          facts={[
            { label: contentLabels.objective, value: wordsOfField("objective", content.objective) },
            { label: contentLabels.adFormat, value: wordsOfField("adFormat", content.adFormat) },
            {
              label: contentLabels.totalBudgetCents,
              value: wordsOfField("totalBudgetCents", content.totalBudgetCents),
            },
            {
              label: contentLabels.dailyBudgetCents,
              value: wordsOfField("dailyBudgetCents", content.dailyBudgetCents),
            },
            { label: "Flight", value: wordsOfDuration(content.startDate, content.endDate) },
            { label: "Pacing", value: pacingLabels[pacing] },
            {
              label: contentLabels.frequencyCapImpressions,
              value: wordsOfCap(content.frequencyCapImpressions, content.frequencyCapPeriod),
            },
            { label: "Channels", value: channelsOf(content), wide: true },
            {
              label: contentLabels.geolocations,
              value: wordsOfField("geolocations", content.geolocations),
              wide: true,
            },
            {
              label: contentLabels.landingUrl,
              value: content.landingUrl ? <OutsideLink url={content.landingUrl} /> : notSelected,
              wide: true,
            },
            { label: contentLabels.creativeIds, value: wordsOfField("creativeIds", content.creativeIds) },
            {
              label: contentLabels.audienceIds,
              value: <Names names={audiences.map((audience) => `${audience.name} · ${audience.publisherName}`)} />,
              wide: true,
            },
            {
              label: contentLabels.productIds,
              value: <Names names={products.map((product) => product.name)} />,
              wide: true,
            },
          ]}
        />
        <CreativePreviews
          creatives={creatives}
          ad={{ adFormat: content.adFormat, brand, headline: wordsOfName(name), landingUrl: content.landingUrl }}
        />
      </div>
    </Card>
  );
}

function channelsOf({ channelType, channels }: CampaignDetail["content"]): string {
  return channels.length > 0 ? wordsOfChannels(channelType, channels) : notSelected;
}

function Names({ names }: { names: readonly string[] }) {
  return names.length > 0 ? <Chips items={names} /> : notSelected;
}
