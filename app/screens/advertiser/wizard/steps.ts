import type { CampaignField } from "#app/domain/campaigns/campaign-payloads.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";

/** The six steps, named as in the specification. */
export const wizardSteps = [
  { number: 1, title: "Campaign Setup" },
  { number: 2, title: "Ad Format & Creative" },
  { number: 3, title: "Audience & Targeting" },
  { number: 4, title: "Channel Selection" },
  { number: 5, title: "Budget & Schedule" },
  { number: 6, title: "Review & Launch" },
] as const;
export type WizardStep = (typeof wizardSteps)[number]["number"];
/** The steps that have fields; the last one reviews. */
export type FormStep = Exclude<WizardStep, 6>;

export function titleOf(step: WizardStep): string {
  return wizardSteps[step - 1]?.title ?? "";
}

/** Not below 1 and not above 6. */
export function stepBeside(step: WizardStep, by: 1 | -1): WizardStep {
  return wizardSteps[step - 1 + by]?.number ?? step;
}

/** What is searched for in a step: in its list of audiences or products, and in that of creatives. */
export type StepSearch = { find?: string; find_creative?: string };
export type SearchField = keyof StepSearch;

/** The field that says what the list was narrowed by, beside the one that is typed into; and the place of both. */
export const foundNames: Record<SearchField, string> = { find: "found", find_creative: "found_creative" };

/** What stands by a list that does not hold all there is. */
export const moreThanListed = "Only the first 500 are listed. Search for the others.";

/** Where a step of a campaign is; a search narrows its lists. */
export function stepHref(base: PortalBase, id: CampaignId, step: WizardStep, search: StepSearch = {}): string {
  const query = new URLSearchParams({ step: String(step) });
  if (search.find) query.set("find", search.find);
  if (search.find_creative) query.set("find_creative", search.find_creative);
  return `${portalHref(base, `/campaigns/${id}/edit`)}?${query}`;
}

/** Which step of the wizard mends a field: launch errors link there. Not beside the schema, which would follow it into the page. */
export const stepOfField: Record<CampaignField, FormStep> = {
  name: 1,
  objective: 1,
  ad_format: 2,
  landing_url: 2,
  creative_ids: 2,
  selected_products: 2,
  selected_audiences: 3,
  geolocations: 3,
  frequency_cap_impressions: 3,
  frequency_cap_period: 3,
  channel_type: 4,
  channels: 4,
  budget: 5,
  daily_budget: 5,
  start_date: 5,
  end_date: 5,
  pacing: 5,
};
