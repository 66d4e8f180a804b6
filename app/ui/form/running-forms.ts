import type { ComponentType } from "react";
import type { RunningForm } from "./running-form.ts";

type Runner = ComponentType<{ forms: readonly RunningForm[] }>;
type State = { Runner: Runner | undefined; forms: readonly RunningForm[] };

let state: State = { Runner: undefined, forms: [] };
const listeners = new Set<() => void>();

/** Loads conform: its script is only needed once a person does something in a form. */
export async function loadRunner(): Promise<void> {
  const { ConformForms } = await import("./conform-forms.tsx");
  if (state.Runner === undefined) change({ ...state, Runner: ConformForms });
}

/** Runs a form, or changes it while it runs. Returns a function that ends it. */
export function runForm(form: RunningForm): () => void {
  const others = state.forms.filter(({ id }) => id !== form.id);
  change({ ...state, forms: [...others, form] });
  return () => change({ ...state, forms: state.forms.filter((other) => other !== form) });
}

export function subscribeToForms(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns the running forms, and the component that runs them once its script is loaded. */
export function runningForms(): State {
  return state;
}

function change(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}
