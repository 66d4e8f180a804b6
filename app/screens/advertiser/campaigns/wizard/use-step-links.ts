import { useSubmit } from "@remix-run/react";
import type { MouseEvent } from "react";

/**
 * With scripting, following a stepper link first saves what is unsaved, as Previous and Next do. A saved step is a
 * plain link.
 */
export function useStepLinks(autosave: { isDirty: () => boolean; onSubmit: () => void }) {
  const submit = useSubmit();
  return (event: MouseEvent, step: number) => {
    const form = document.getElementById("wizard");
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere || !autosave.isDirty() || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    autosave.onSubmit();
    const fields = new FormData(form);
    fields.set("intent", `step-${step}`);
    submit(fields, { method: "post" });
  };
}
