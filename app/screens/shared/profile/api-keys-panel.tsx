import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { KeyRound, Plus } from "lucide-react";
import type { ListedApiKey } from "#app/domain/api-keys/list-api-keys.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { Button, IconLink } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { formatInstant } from "#app/ui/format.ts";
import { Card, EmptyState } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { DataTable } from "#app/ui/table.tsx";

/** Keys for programs. A new one's secret is shown here once. */
export function ApiKeysPanel({
  keys,
  created,
  refused,
  checks,
  formKey,
  revokeHref,
}: {
  keys: readonly ListedApiKey[];
  created: { name: string; secret: string | undefined } | undefined;
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  formKey: string;
  revokeHref: (id: string) => string;
}) {
  return (
    <Card title="API keys" flush>
      <div className="card-body stack">
        <p className="text-muted">A key lets a program call the API in the name of this account.</p>
        {created ? <CreatedKey {...created} /> : null}
        <NewKeyForm key={created ? formKey : "new"} refused={refused} checks={checks} formKey={formKey} />
      </div>
      {keys.length === 0 ? (
        <EmptyState icon={KeyRound} title="No keys yet" />
      ) : (
        <DataTable
          caption="API keys"
          columns={[
            { head: "Name", cell: (key) => <strong>{key.name}</strong>, wide: true },
            { head: "Key", cell: (key) => <code>{key.prefix}…</code> },
            { head: "Created", cell: (key) => formatDate(key.createdAt) },
            { head: "Last used", cell: (key) => (key.lastUsedAt ? formatInstant(key.lastUsedAt) : "Never") },
          ]}
          rows={keys}
          actions={(key) => <IconLink to={revokeHref(key.id)} label="Revoke" of={key.name} icon="remove" />}
        />
      )}
    </Card>
  );
}

function CreatedKey({ name, secret }: { name: string; secret: string | undefined }) {
  if (!secret) {
    return (
      <Notice tone="warn" title={`“${name}” was made already`}>
        Its secret was shown once. If you did not keep it, revoke the key and make another.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`“${name}” is ready`}>
      <p className="mb-2">Copy the secret now: it is shown only this once.</p>
      <CopyField label="Secret" value={secret} />
    </Notice>
  );
}

function NewKeyForm({
  refused,
  checks,
  formKey,
}: {
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  formKey: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const { values, errors } = fields;
  const busy = useNavigation().formData?.get("intent") === "create-key";
  return (
    <Form method="post" {...form.props} preventScrollReset className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="idempotency_key" value={formKey} />
      <div className="min-w-0 flex-[1_1_240px]">
        <TextField
          name="name"
          id="key-name"
          label="Name of the new key"
          required
          maxLength={80}
          autoComplete="off"
          placeholder="Nightly report"
          defaultValue={textOf(values, "name")}
          errors={errors.name ?? errors[""]}
        />
      </div>
      <Button name="intent" value="create-key" icon={Plus} busy={busy} busyLabel="Creating key...">
        Create key
      </Button>
    </Form>
  );
}
