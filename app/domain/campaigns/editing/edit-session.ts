import type { UserId } from "../../ids.ts";
import type { CampaignStep } from "../campaign-field-kinds.ts";

/**
 * A save of a step from a form that saves itself. `sessionId` is the form as it was opened, `revision` counts the
 * changes in it. `isFinished` is true when a button of the step was pressed or its page was left. `isAutomatic` is true
 * without a button: such a save of a revision that the session has saved changes nothing, because nobody has changed
 * the form since, and another form may have saved other values.
 */
export type EditSave = {
  sessionId: string;
  revision: number;
  step: CampaignStep;
  isFinished: boolean;
  isAutomatic?: boolean;
};

/** An edit ends when nothing was saved for this long, in milliseconds. */
export const editIdleMs = 10 * 60_000;

/** How long a session is remembered, in milliseconds: much longer than any request takes. */
export const editSessionTtlMs = 24 * 60 * 60_000;

/**
 * The rule of the history: consecutive saves of one step by one person, with less than ten minutes between them and no
 * other change of the campaign, are one edit with one entry. Returns whether the save continues the open edit. Pure.
 */
export function continuesEdit(
  open: { step: CampaignStep; userId: UserId | null; savedAt: Date },
  save: { step: CampaignStep; userId: UserId | null; at: Date },
): boolean {
  const idleMs = save.at.getTime() - open.savedAt.getTime();
  return open.step === save.step && open.userId === save.userId && idleMs < editIdleMs;
}
