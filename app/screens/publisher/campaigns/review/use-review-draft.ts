import { type FormEvent, useState } from "react";
import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import type { FormValues } from "#app/ui/form/form-values.ts";

/**
 * What was entered in reviews whose dialogs were closed, by line item and version. Only in memory: storage of the
 * browser remains on shared machines.
 */
const drafts = new Map<string, FormValues>();

/**
 * Returns what was entered in the form of this version's review when it was open before, and stores what is entered
 * now.
 */
export function useReviewDraft({ lineItemId, version }: Pick<LineItemDetail, "lineItemId" | "version">) {
  const key = `${lineItemId} ${version}`;
  // Read once: the fields have later input themselves, and the reasons would fold when the last one is cleared.
  const [stored] = useState(() => drafts.get(key));
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const without_reason = form.get("without_reason");
    drafts.set(key, { notes: form.get("notes"), reasons: form.getAll("reasons"), without_reason });
  };
  return { stored, onInput };
}
