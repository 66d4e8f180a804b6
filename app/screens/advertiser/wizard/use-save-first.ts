import { useSubmit } from "@remix-run/react";
import { type MouseEvent, useRef } from "react";

/**
 * With scripting, a step of the stepper saves what was typed before it is gone to, as Previous and Next do. A step
 * in which nothing was typed is a plain link.
 */
export function useSaveFirst(formKey: string) {
  const submit = useSubmit();
  const touched = useRef<string>();
  function saveFirst(event: MouseEvent, step: number) {
    const form = document.getElementById("wizard");
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (elsewhere || touched.current !== formKey || !(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    const fields = new FormData(form);
    fields.set("intent", `step-${step}`);
    submit(fields, { method: "post" });
  }
  return { noteChange: () => (touched.current = formKey), saveFirst };
}
