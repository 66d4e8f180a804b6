import type { StepState } from "#app/domain/campaigns/editing/step-states.ts";
import type { FormErrors } from "#app/ui/form/form-values.ts";

/** The hidden fields by which the server orders the saves of a form; empty without scripting. */
export const editFields = {
  session: "edit_session",
  revision: "edit_revision",
  /** Set when the page is left, so that the history gets its entry. */
  finished: "edit_finished",
} as const;

/** What a form that saves itself shows after a save. */
export type AutosaveResult = {
  /** The URL of the step, which a new campaign gets with its first save. */
  href: string;
  title: string;
  states: StepState[];
  /** The errors of fields: those that were not saved, and saved ones that contradict each other. */
  problems: FormErrors;
  /** Whether a field was invalid and kept its saved value. */
  isPartial: boolean;
};

export function isAutosaveResult(body: unknown): body is AutosaveResult {
  return typeof body === "object" && body !== null && "states" in body;
}
