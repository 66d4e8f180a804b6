import type { AdvertiserActor, Ctx } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { CampaignId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { requireNotArchived } from "./archive/archive-rules.ts";
import type { CampaignChanges } from "./campaign-payloads.ts";
import { lockOwnCampaign } from "./campaign-rows.server.ts";
import { closeEdit } from "./editing/close-edit.server.ts";
import type { EditSave } from "./editing/edit-session.ts";
import { compareWithSaved } from "./editing/save-edit.server.ts";
import { saveWorkingCopy } from "./editing/save-working-copy.server.ts";
import { findChangedVersion } from "./find-changed-version.server.ts";
import { requireSeenVersion } from "./require-seen-version.ts";
import { sendVersion } from "./send-version.server.ts";

/**
 * Saves changes to a campaign's working copy. Changes to a draft need nothing else. For a launched campaign, name and
 * pacing change at once; all other changes stay unsent while the approved version runs, until `launchCampaign` sends
 * them. With `send`, this transaction sends these changes alone, and what was unsent before stays so; the result says
 * whether it did. Throws `not_found`, `invalid_input`, `invalid_transition`, and `version_changed` (see
 * `requireSeenVersion`).
 *
 * With `edit`, the save comes from a form that saves itself: the history gets one entry for the whole edit, and a save
 * that arrives after a later one of the same form, or repeats one by itself, changes nothing.
 */
export async function updateCampaign(
  ctx: Ctx<AdvertiserActor>,
  input: {
    id: CampaignId;
    changes: CampaignChanges;
    send?: boolean;
    edit?: EditSave;
    version?: number | null | undefined;
  },
): Promise<{ sent: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const row = await lockOwnCampaign(tx, input.id, tx.actor.accountId);
    requireNotArchived(row);
    if (row.status === "completed")
      throw new DomainError(
        "invalid_transition",
        "Completed campaigns can't be edited. Duplicate the campaign instead.",
      );
    requireSeenVersion(row, input.version);
    const { edit } = input;
    const compared = edit ? await compareWithSaved(tx, row, edit) : "new";
    if (compared === "outdated") return { sent: false };
    const changes = compared === "repeated" ? {} : input.changes;
    const saved = (await saveWorkingCopy(tx, { row, changes, edit })) ?? row;
    if (!input.send || saved.status === "draft") return { sent: false };
    const content = await findChangedVersion(tx, { row: saved, changes });
    if (!content) return { sent: false };
    await closeEdit(tx, saved);
    await sendVersion(tx, saved, { content });
    return { sent: true };
  });
}
