import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import { campaignSteps, type StepState } from "#app/domain/campaigns/editing/step-states.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";

/** The six steps. */
export const wizardSteps = [
  { number: 1, title: "Campaign Setup" },
  { number: 2, title: "Ad Format & Creative" },
  { number: 3, title: "Audience & Targeting" },
  { number: 4, title: "Channel Selection" },
  { number: 5, title: "Budget & Schedule" },
  { number: 6, title: "Review & Launch" },
] as const;
export type WizardStep = (typeof wizardSteps)[number]["number"];
/** The steps that have fields; the last step is the review. */
export type FormStep = Exclude<WizardStep, 6>;

/** A step's state as the step bar shows it; the review has none. */
export function describeStepState(states: readonly StepState[], step: WizardStep) {
  const found = states.find((state) => state.step === step);
  if (!found) return {};
  if (found.state === "untouched") return { note: "not started" };
  if (found.state === "complete") return { state: found.state, note: "complete" };
  return { state: found.state, note: `${found.needs.length} to do` };
}

/** The states of a campaign that is not saved yet. */
export const untouchedSteps: readonly StepState[] = campaignSteps.map((step) => ({
  step,
  state: "untouched",
  needs: [],
}));

export function stepTitle(step: WizardStep): string {
  return wizardSteps[step - 1]?.title ?? "";
}

/** Limited to 1–6. */
export function adjacentStep(step: WizardStep, by: 1 | -1): WizardStep {
  return wizardSteps[step - 1 + by]?.number ?? step;
}

/** A step's searches: in its list of audiences or products, and in that of creatives. */
export type StepSearch = { find?: string; find_creative?: string };
export type SearchFieldName = keyof StepSearch;

/**
 * For each search input, the hidden field with the search that is already applied; its name is also the list's anchor.
 */
export const appliedSearchFields: Record<SearchFieldName, string> = { find: "found", find_creative: "found_creative" };

/** The hint beside a truncated list. */
export const listTruncatedHint = "Showing the first 500. Use search to find others.";

/** Returns the URL of a campaign's step; a search filters its lists. */
export function stepHref(base: PortalBase, id: CampaignId, step: WizardStep, search: StepSearch = {}): string {
  const query = new URLSearchParams({ step: String(step) });
  if (search.find) query.set("find", search.find);
  if (search.find_creative) query.set("find_creative", search.find_creative);
  return `${portalHref(base, `/campaigns/${id}/edit`)}?${query}`;
}

/** The step of the wizard that has the field: launch errors link there. */
export function stepOfField(field: string): FormStep | undefined {
  return campaignFieldRows.find(({ name }) => name === field)?.step ?? undefined;
}
