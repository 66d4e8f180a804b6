import { useSyncExternalStore } from "react";
import { runningForms, subscribeToForms } from "./running-forms.ts";

/**
 * Renders what runs the page's forms: a form begins when a person enters it, which is too late to call conform's hook
 * there.
 */
export function FormHost() {
  const { Runner, forms } = useSyncExternalStore(subscribeToForms, runningForms, runningForms);
  return Runner && forms.length > 0 ? <Runner forms={forms} /> : null;
}
