import { Link } from "@remix-run/react";
import { pacingLabels } from "#app/domain/campaigns/campaign.ts";
import type { CampaignContent } from "#app/domain/campaigns/campaign-content.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { contentLabels, wordsOfField, wordsOfName } from "#app/screens/shared/campaign-content-words.ts";
import { notSelected, wordsOfCap } from "#app/screens/shared/campaign-words.ts";
import type { ShownAd } from "#app/screens/shared/creatives/ad-frame.tsx";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";
import { type FormStep, titleOf, type WizardStep } from "./steps.ts";

export type ReviewedCampaign = Pick<
  CampaignDetail,
  "name" | "pacing" | "content" | "unsentFields" | "audiences" | "products" | "creatives"
>;
type Field = keyof CampaignContent;

const fieldsOf: Record<FormStep, Field[]> = {
  1: ["objective"],
  2: ["adFormat", "landingUrl", "creativeIds", "productIds"],
  3: ["audienceIds", "geolocations", "frequencyCapImpressions"],
  4: ["channelType", "channels"],
  5: ["totalBudgetCents", "dailyBudgetCents", "startDate", "endDate"],
};
const steps: FormStep[] = [1, 2, 3, 4, 5];

/** All that was entered, step by step, each with its way back. What waits unsent is marked. */
export function ReviewStep({
  campaign,
  ad,
  stepTo,
}: {
  campaign: ReviewedCampaign;
  ad: ShownAd;
  stepTo: (step: WizardStep) => string;
}) {
  return (
    <>
      <div className="review-steps">
        {steps.map((step) => (
          <Card
            key={step}
            title={titleOf(step)}
            aside={
              <Link className="link" to={stepTo(step)} prefetch="intent" aria-label={`Edit ${titleOf(step)}`}>
                Edit
              </Link>
            }
          >
            <Facts
              facts={[
                ...(step === 1 ? [{ label: "Campaign name", value: wordsOfName(campaign.name) }] : []),
                ...fieldsOf[step].map((field) => ({
                  label: contentLabels[field],
                  wide: field === "audienceIds" || field === "productIds",
                  value: <Value campaign={campaign} field={field} />,
                })),
                ...(step === 5 ? [{ label: "Pacing", value: pacingLabels[campaign.pacing] }] : []),
              ]}
            />
          </Card>
        ))}
      </div>
      {campaign.creatives.length > 0 ? (
        <Card title="Preview">
          <CreativePreviews creatives={campaign.creatives} ad={ad} />
        </Card>
      ) : null}
    </>
  );
}

function Value({ campaign, field }: { campaign: ReviewedCampaign; field: Field }) {
  const unsent =
    campaign.unsentFields.includes(field) ||
    (field === "frequencyCapImpressions" && campaign.unsentFields.includes("frequencyCapPeriod"));
  const words = wordsOf(campaign, field);
  return (
    <>
      <span className={words === notSelected ? "text-muted font-normal" : undefined}>{words}</span>{" "}
      {unsent ? <Badge tone="warn">Not sent yet</Badge> : null}
    </>
  );
}

function wordsOf({ content, audiences, products }: ReviewedCampaign, field: Field): string {
  switch (field) {
    case "audienceIds":
      return audiences.map(({ name, publisherName }) => `${name} (${publisherName})`).join(", ") || notSelected;
    case "productIds":
      return products.map(({ name }) => name).join(", ") || notSelected;
    case "frequencyCapImpressions":
      return wordsOfCap(content.frequencyCapImpressions, content.frequencyCapPeriod);
    default:
      return wordsOfField(field, content[field]);
  }
}
