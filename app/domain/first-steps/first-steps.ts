import type { AudienceId, CampaignId } from "../ids.ts";

/** The first steps of each side, in the order in which the dashboard lists them. */
const advertiserSteps = ["company_profile", "product", "creative", "audience", "funds", "campaign"] as const;
const publisherSteps = ["first_audience", "minimum_size", "bank_account", "first_approval"] as const;

export const firstStepNames = [...advertiserSteps, ...publisherSteps] as const;
export type FirstStepName = (typeof firstStepNames)[number];

export const firstStepStates = ["to_do", "started", "done"] as const;
type FirstStepState = (typeof firstStepStates)[number];

export type FirstStep = {
  name: FirstStepName;
  state: FirstStepState;
  /** How far a step that is counted is: details of the profile, people of the largest audience. */
  progress: { current: number; target: number } | null;
};

export type FirstSteps = {
  steps: FirstStep[];
  /** The number of steps that are done. */
  done: number;
  /** The newest draft that was never launched, in which an advertiser's next steps are done. */
  draftId: CampaignId | null;
  /** The publisher's largest audience, archived ones aside. */
  audienceId: AudienceId | null;
};

/** The details that make a company profile complete: website and business vertical. */
export const profileDetails = 2;

/** Returns a step: done, else started, else to do. */
export function firstStep(
  name: FirstStepName,
  { done, started = false, progress = null }: { done: boolean; started?: boolean; progress?: FirstStep["progress"] },
): FirstStep {
  const undone = started ? "started" : "to_do";
  return { name, state: done ? "done" : undone, progress };
}
