import type { SaveStatus } from "./form-autosave.ts";

const texts = {
  unchanged: "",
  saving: "Saving…",
  saved: "Saved",
  partial: "Saved, except for fields with errors",
};

/** What became of the last change. Screen readers hear of results, not of each attempt. */
export function SaveStatusText({ status, otherwise }: { status: SaveStatus; otherwise?: string }) {
  const { state } = status;
  const isBad = state === "failed";
  const text = isBad ? `Not saved: ${status.message}. Your input stays here` : texts[state];
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
