import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import type { ListedApiKey } from "#app/domain/api-keys/list-api-keys.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { Button, IconLink } from "#app/ui/button.tsx";
import { CopyField } from "#app/ui/copy-field.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card, EmptyState } from "#app/ui/page-header.tsx";
import { DataTable } from "#app/ui/table/data-table.tsx";
import { RowTitle } from "#app/ui/table/row-title.tsx";
import { useTimeFormats } from "#app/ui/time/use-time-formats.ts";

/** API keys. The secret of a new key is shown once. */
export function ApiKeysCard({
  keys,
  created,
  rejected,
  checks,
  idempotencyKey,
  revokeHref,
  referenceHref,
}: {
  keys: readonly ListedApiKey[];
  created: { name: string; secret: string | undefined } | undefined;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  idempotencyKey: string;
  revokeHref: (id: string) => string;
  referenceHref: string;
}) {
  const { formatDateTime } = useTimeFormats();
  return (
    <Card title="API keys" flush>
      <div className="card-body stack">
        <p className="text-muted">
          API keys let your systems call the API on behalf of this account.{" "}
          <Link className="link" to={referenceHref}>
            See what it can do
          </Link>
        </p>
        {created ? <CreatedKey {...created} /> : null}
        <NewKeyForm
          key={created?.secret ?? "new"}
          rejected={rejected}
          checks={checks}
          idempotencyKey={idempotencyKey}
        />
      </div>
      {keys.length === 0 ? (
        <EmptyState icon="key-round" title="No API keys yet" />
      ) : (
        <DataTable
          caption="API keys"
          columns={[
            {
              header: "Name",
              place: "title",
              cell: (key) => <RowTitle name={key.name} narrowDetail={`${key.prefix}…`} />,
            },
            { header: "Key", priority: 1, width: 150, cell: (key) => <code>{key.prefix}…</code> },
            { header: "Created", priority: 3, cell: (key) => formatDate(key.createdAt) },
            {
              header: "Last used",
              priority: 2,
              width: 210,
              cell: (key) => (key.lastUsedAt ? formatDateTime(key.lastUsedAt) : "Never"),
            },
          ]}
          rows={keys}
          actionsWidth={62}
          actions={(key) => <IconLink to={revokeHref(key.id)} label="Revoke" itemName={key.name} icon="remove" />}
          hasOneAction
        />
      )}
    </Card>
  );
}

function CreatedKey({ name, secret }: { name: string; secret: string | undefined }) {
  if (!secret) {
    return (
      <Notice tone="warn" title={`“${name}” was already created`}>
        The secret is shown only once. If you didn't save it, revoke the key and create a new one.
      </Notice>
    );
  }
  return (
    <Notice tone="good" title={`“${name}” is ready`}>
      <p className="mb-2">Copy the secret now. It won't be shown again.</p>
      <CopyField label="Secret" value={secret} />
    </Notice>
  );
}

function NewKeyForm({
  rejected,
  checks,
  idempotencyKey,
}: {
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  idempotencyKey: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const { values, errors } = fields;
  const busy = useNavigation().formData?.get("intent") === "create-key";
  return (
    <Form method="post" {...form.props} preventScrollReset className="flex flex-wrap items-end gap-3">
      <input type="hidden" name="idempotency_key" value={idempotencyKey} />
      <div className="min-w-0 flex-[1_1_240px]">
        <TextField
          name="name"
          id="key-name"
          label="Key name"
          required
          maxLength={80}
          autoComplete="off"
          placeholder="Nightly report"
          defaultValue={fieldText(values, "name")}
          errors={errors.name ?? errors[""]}
        />
      </div>
      <Button name="intent" value="create-key" icon="plus" busy={busy} busyLabel="Creating key...">
        Create key
      </Button>
    </Form>
  );
}
