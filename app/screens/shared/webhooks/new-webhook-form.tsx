import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Plus } from "lucide-react";
import { Button } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { listOf, textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";

/** Where to send, and what. */
export function NewWebhookForm({
  events,
  refused,
  checks,
  formKey,
}: {
  events: readonly { name: string; label: string }[];
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  formKey: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const { values, errors } = fields;
  const busy = useNavigation().formMethod === "POST";
  return (
    <Card title="Add a webhook">
      <Form method="post" {...form.props} preventScrollReset className="form-grid">
        <FormSummary {...form.summary} />
        <input type="hidden" name="idempotency_key" value={formKey} />
        <TextField
          name="url"
          label="Address"
          type="url"
          required
          maxLength={2_000}
          autoComplete="off"
          placeholder="https://example.com/endcap"
          hint="A server of yours on the public internet, by https"
          defaultValue={textOf(values, "url")}
          errors={errors.url}
        />
        <ChoiceField
          type="checkbox"
          name="events"
          label="Events"
          required
          options={events.map(({ name, label }) => ({ value: name, label, hint: name }))}
          chosen={listOf(values, "events")}
          errors={errors.events}
        />
        <div className="actions justify-end">
          <Button variant="primary" icon={Plus} busy={busy} busyLabel="Adding...">
            Add webhook
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** A new one's secret, this once. A form sent again finds the webhook without it. */
export function CreatedWebhook({ url, secret }: { url: string; secret: string | undefined }) {
  if (!secret) {
    return (
      <Notice tone="warn" title="This webhook was added already">
        Its secret was shown once. If you did not keep it, remove the webhook and add another.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`Events are sent to ${url} from now on`}>
      <p className="mb-2">Copy the secret now: it is shown only this once. With it your server checks what it gets.</p>
      <CopyField label="Secret" value={secret} />
    </Notice>
  );
}
