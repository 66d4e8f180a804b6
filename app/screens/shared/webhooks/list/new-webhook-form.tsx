import type { SubmissionResult } from "@conform-to/react";
import { Button } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { ChoiceField, TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText, fieldValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** The endpoint's URL and its events. */
export function NewWebhookForm({
  events,
  rejected,
  checks,
  idempotencyKey,
}: {
  events: readonly { name: string; label: string }[];
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  idempotencyKey: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const { values, errors } = fields;
  const busy = useIsPosting();
  return (
    <Card title="Add a webhook">
      <Form method="post" {...form.props} preventScrollReset className="form-grid">
        <FormSummary {...form.summary} />
        <input type="hidden" name="idempotency_key" value={idempotencyKey} />
        <TextField
          name="url"
          label="Endpoint URL"
          type="url"
          required
          maxLength={2_000}
          autoComplete="off"
          placeholder="https://example.com/endcap"
          hint="A public URL that begins with https://"
          defaultValue={fieldText(values, "url")}
          errors={errors.url}
        />
        <ChoiceField
          type="checkbox"
          name="events"
          label="Events"
          required
          options={events.map(({ name, label }) => ({ value: name, label, hint: name }))}
          selected={fieldValues(values, "events")}
          errors={errors.events}
        />
        <div className="actions">
          <Button variant="primary" icon="plus" busy={busy} busyLabel="Adding...">
            Add webhook
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** Shows the secret of a new webhook, once. A repeated form returns the webhook without its secret. */
export function CreatedWebhook({ url, secret }: { url: string; secret: string | undefined }) {
  if (!secret) {
    return (
      <Notice tone="warn" title="This webhook was already added">
        The secret is shown only once. If you didn't save it, remove the webhook and add it again.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`Webhook added. Events are now sent to ${url}.`}>
      <p className="mb-2">Copy the secret now. It won't be shown again. Your server needs it to verify requests.</p>
      <CopyField label="Secret" value={secret} />
    </Notice>
  );
}
