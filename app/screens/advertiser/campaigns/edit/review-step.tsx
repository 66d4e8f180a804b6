import type { ComponentProps } from "react";
import { notSelected, notSet } from "#app/domain/campaigns/campaign.ts";
import {
  type CampaignFieldRow,
  campaignFieldRows,
  type UnreviewedValues,
} from "#app/domain/campaigns/campaign-fields.ts";
import type { CampaignDetail } from "#app/domain/campaigns/get-campaign.server.ts";
import { ForecastCard } from "#app/screens/advertiser/campaigns/forecast/forecast-card.tsx";
import type { ForecastFacts } from "#app/screens/advertiser/campaigns/forecast/forecast-facts.ts";
import { type FormStep, stepTitle, type WizardStep } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { describeFrequencyCap } from "#app/screens/shared/campaigns/campaign-copy.ts";
import { campaignFacts, type FactOverrides } from "#app/screens/shared/campaigns/campaign-facts.ts";
import { CampaignFundsNotice } from "#app/screens/shared/campaigns/status/campaign-funds-notice.tsx";
import type { AdPreview } from "#app/screens/shared/creatives/ad-frame.tsx";
import { CreativePreviews } from "#app/screens/shared/creatives/creative-previews.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Link } from "#app/ui/link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { LaunchChecklist } from "./launch-checklist.tsx";

/** What stands above the form: what a launch still needs, and what a campaign without funds needs. */
export function ReviewNotes({
  checklist,
  funds,
}: {
  checklist: ComponentProps<typeof LaunchChecklist> | undefined;
  funds: ComponentProps<typeof CampaignFundsNotice> | undefined;
}) {
  return (
    <>
      {checklist ? <LaunchChecklist {...checklist} /> : null}
      {funds ? <CampaignFundsNotice {...funds} /> : null}
    </>
  );
}

export type ReviewedCampaign = UnreviewedValues &
  Pick<CampaignDetail, "content" | "unsentFields" | "audiences" | "products" | "creatives">;
const steps: FormStep[] = [1, 2, 3, 4, 5];

/** Summarizes every step with a link to edit it, and marks unsubmitted changes. */
export function ReviewStep({
  campaign,
  ad,
  forecast,
  stepTo,
}: {
  campaign: ReviewedCampaign;
  ad: AdPreview;
  forecast?: ForecastFacts;
  stepTo: (step: WizardStep) => string;
}) {
  return (
    <>
      <div className="review-steps">
        {steps.map((step) => (
          <Card
            key={step}
            title={stepTitle(step)}
            aside={
              <Link className="link" to={stepTo(step)} prefetch="intent" aria-label={`Edit ${stepTitle(step)}`}>
                Edit
              </Link>
            }
          >
            <DescriptionList
              facts={campaignFacts({
                rows: campaignFieldRows.filter((row) => row.step === step),
                overrides,
                show: (row) => <Value campaign={campaign} row={row} />,
              })}
            />
          </Card>
        ))}
      </div>
      {forecast ? <ForecastCard facts={forecast} plan={{ ...campaign.content, pacing: campaign.pacing }} /> : null}
      {campaign.creatives.length > 0 ? (
        <Card title="Preview">
          <CreativePreviews creatives={campaign.creatives} ad={ad} />
        </Card>
      ) : null}
    </>
  );
}

const overrides: FactOverrides = {
  selected_audiences: { wide: true },
  selected_products: { wide: true },
  frequency_cap_period: null,
};

function Value({ campaign, row }: { campaign: ReviewedCampaign; row: CampaignFieldRow }) {
  const text = describeValue(campaign, row);
  if (!row.reviewed) return text;
  const unsentFields: readonly string[] = campaign.unsentFields;
  const unsent =
    unsentFields.includes(row.key) ||
    (row.name === "frequency_cap_impressions" && unsentFields.includes("frequencyCapPeriod"));
  return (
    <>
      <span className={text === notSelected ? "text-muted font-normal" : undefined}>{text}</span>{" "}
      {unsent ? <Badge tone="warn">Not sent yet</Badge> : null}
    </>
  );
}

function describeValue(
  { content, audiences, products, ...unreviewed }: ReviewedCampaign,
  row: CampaignFieldRow,
): string {
  switch (row.name) {
    case "selected_audiences":
      return audiences.map(({ name, publisherName }) => `${name} (${publisherName})`).join(", ") || notSelected;
    case "selected_products":
      return products.map(({ name }) => name).join(", ") || notSelected;
    case "frequency_cap_impressions":
      return describeFrequencyCap(content.frequencyCapImpressions, content.frequencyCapPeriod);
    default: {
      const text = row.show(Reflect.get(row.reviewed ? content : unreviewed, row.key));
      // The specification has one text for all empty values of the review.
      return text === notSet ? notSelected : text;
    }
  }
}
