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

/** Where a step of a campaign is; `find` narrows its list of audiences or products. */
export function stepHref(base: PortalBase, id: CampaignId, step: WizardStep, find?: string): string {
  const query = new URLSearchParams({ step: String(step), ...(find && { find }) });
  return `${portalHref(base, `/campaigns/${id}/edit`)}?${query}`;
}
