import { type FormEvent, useState } from "react";
import type { LineItemDetail } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { usePageViewer } from "#app/ui/link.tsx";
import { draftsOf } from "./review-drafts.ts";

/**
 * Returns what this person entered in the form of this version's review when it was open before, and stores what is
 * entered now.
 */
export function useReviewDraft({ lineItemId, version }: Pick<LineItemDetail, "lineItemId" | "version">) {
  const viewer = usePageViewer();
  const key = `${lineItemId} ${version}`;
  // Read once: the fields have later input themselves, and the reasons would fold when the last one is cleared.
  const [stored] = useState((): FormValues | undefined => draftsOf(viewer).get(key));
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const form = new FormData(currentTarget);
    const without_reason = form.get("without_reason");
    draftsOf(viewer).set(key, { notes: form.get("notes"), reasons: form.getAll("reasons"), without_reason });
  };
  return { stored, onInput };
}
