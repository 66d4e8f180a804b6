import { useNavigation, useSubmit } from "@remix-run/react";
import { type FormEvent, useEffect, useRef } from "react";
import type { BulkIntent } from "#app/screens/shared/campaigns/bulk/bulk-intents.ts";
import { Button } from "#app/ui/button.tsx";
import { lostRequest } from "#app/web/lost-requests/lost-request.ts";

/** The form that the checkboxes of a campaign list belong to. */
export const bulkForm = { form: "bulk", name: "campaign" } as const;

const icons = {
  pause: "pause",
  resume: "play",
  duplicate: "copy",
  archive: "archive",
  restore: "archive-arrow-up",
} as const;
const labels = {
  pause: "Pause",
  resume: "Resume",
  duplicate: "Duplicate",
  archive: "Archive",
  restore: "Restore",
} as const;

/**
 * The actions for the selected campaigns, at the lower edge of the window while something is selected. The style sheet
 * counts and shows it, so it works without scripting. With scripting, the list
 * stays where it is scrolled, and the selection is cleared when the answer is there.
 */
export function BulkBar({
  intents,
  exportHref,
  idempotencyKey,
}: {
  intents: readonly BulkIntent[];
  exportHref: string;
  /** Where an action creates something. */
  idempotencyKey?: string;
}) {
  const form = useRef<HTMLFormElement>(null);
  const submit = useSubmit();
  const isSending = useNavigation().formData?.has("bulk") ?? false;
  useEffect(() => {
    if (!isSending) return;
    return () => {
      if (lostRequest()) return;
      form.current?.reset();
      document.getElementById("main")?.focus({ preventScroll: true });
    };
  }, [isSending]);
  const send = (event: FormEvent<HTMLFormElement>) => {
    const submitter = event.nativeEvent instanceof SubmitEvent ? event.nativeEvent.submitter : null;
    if (!(submitter instanceof HTMLButtonElement)) return;
    event.preventDefault();
    if (submitter.name !== "bulk") return void download(submitter.formAction, new FormData(event.currentTarget));
    if (!isSending) submit(submitter, { preventScrollReset: true });
  };
  return (
    <form
      ref={form}
      method="post"
      id={bulkForm.form}
      className="bulk-bar"
      aria-label="Selected campaigns"
      onSubmit={send}
    >
      {idempotencyKey ? <input type="hidden" name="idempotency_key" value={idempotencyKey} /> : null}
      <span className="bulk-count" />
      {intents.map((intent) => (
        <Button key={intent} name="bulk" value={intent} icon={icons[intent]}>
          {labels[intent]}
          <span className="sr-only"> selected campaigns</span>
        </Button>
      ))}
      <Button formMethod="get" formAction={exportHref} icon="download">
        Export CSV
      </Button>
      <Button type="reset" variant="ghost">
        Clear
      </Button>
    </form>
  );
}

/**
 * Downloads the file of a GET form. The browser goes to the file itself, so that it shows the page that may come in its
 * place, such as one that says why there is none; before that, a request shows that the server can be reached.
 */
async function download(action: string, fields: FormData): Promise<void> {
  const url = new URL(action);
  for (const [name, value] of fields) if (typeof value === "string") url.searchParams.append(name, value);
  const response = await fetch(url, { method: "HEAD", redirect: "manual" }).catch(() => undefined);
  if (response) window.location.assign(url);
}
