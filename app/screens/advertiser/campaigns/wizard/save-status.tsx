import type { SaveStatus } from "./form-autosave.ts";

const texts: Record<SaveStatus["state"], string> = {
  unchanged: "",
  saving: "Saving…",
  saved: "Saved",
  partial: "Saved, except for fields with errors",
  offline: "Not saved: no connection. Your input stays here",
  failed: "Not saved",
};

/** What became of the last change. Screen readers hear of results, not of each attempt. */
export function SaveStatusText({ status, otherwise }: { status: SaveStatus; otherwise?: string }) {
  const { state, message } = status;
  const text = message ? `${texts[state]}: ${message}. Your input stays here` : texts[state];
  const isBad = state === "offline" || state === "failed";
  return (
    <>
      <span aria-hidden={text !== ""} className={isBad ? "save-status-bad" : undefined}>
        {text || otherwise}
      </span>
      <span role="status" aria-live="polite" className="sr-only">
        {state === "saving" ? "" : text}
      </span>
    </>
  );
}
