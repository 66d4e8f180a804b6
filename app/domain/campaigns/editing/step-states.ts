import type { FieldErrors } from "../../errors.ts";
import type { CampaignStep } from "../campaign-field-kinds.ts";
import { type CampaignFieldRow, type CampaignValues, campaignFieldRows } from "../campaign-fields.ts";

/** What is missing in a step or wrong: a message of the launch checks and the field it belongs to. */
type StepNeed = { field: string; message: string };

/** `untouched`: none of the step's fields differs from that of a new draft. `incomplete`: the launch needs more. */
export type StepState = { step: CampaignStep; state: "complete" | "incomplete" | "untouched"; needs: StepNeed[] };

export const campaignSteps: readonly CampaignStep[] = [1, 2, 3, 4, 5];

/**
 * Returns the state of each step with fields. `errors` are those that a launch would have now. A campaign may be
 * launched without a creative, but its step is not complete. Pure.
 */
export function stepStates(values: CampaignValues, errors: FieldErrors): StepState[] {
  return campaignSteps.map((step) => {
    const rows = campaignFieldRows.filter((row) => row.step === step);
    const needs = [
      ...rows.flatMap(({ name }) => (errors[name] ?? []).map((message) => ({ field: name, message }))),
      ...(step === 2 ? creativeNeeds(values, errors) : []),
    ];
    if (needs.length === 0) return { step, state: "complete", needs };
    return { step, state: rows.some((row) => isFilled(values, row)) ? "incomplete" : "untouched", needs };
  });
}

function creativeNeeds({ creativeIds }: CampaignValues, errors: FieldErrors): StepNeed[] {
  if (creativeIds.length > 0 || errors.creative_ids) return [];
  return [{ field: "creative_ids", message: "Select a creative" }];
}

/**
 * Returns the errors of fields that have a value, such as an end date before the start date. A missing value is not an
 * error while the campaign is edited. Pure.
 */
export function errorsOfFilledFields(values: CampaignValues, errors: FieldErrors): FieldErrors {
  const filled = campaignFieldRows.filter((row) => isFilled(values, row)).map(({ name }): string => name);
  return Object.fromEntries(Object.entries(errors).filter(([name]) => filled.includes(name)));
}

/** Returns whether all fields have the values of a new draft. Pure. */
export function isBlank(values: CampaignValues): boolean {
  return !campaignFieldRows.some((row) => isFilled(values, row));
}

function isFilled(values: CampaignValues, { key, empty }: CampaignFieldRow): boolean {
  return JSON.stringify(Reflect.get(values, key)) !== JSON.stringify(empty);
}
