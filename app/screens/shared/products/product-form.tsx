import type { SubmissionResult } from "@conform-to/react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { ProductFields } from "./product-fields.tsx";

/** The form of a new or existing product. */
export function ProductForm({
  stored,
  opened,
  rejected,
  checks,
  categories,
  idempotencyKey,
  submit,
  cancelTo,
}: {
  stored: FormValues;
  /** The fingerprints of an existing product's fields. */
  opened?: string;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  categories: readonly string[];
  idempotencyKey?: string;
  submit: string;
  cancelTo: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const busy = useIsPosting();
  return (
    <Form method="post" {...form.props} className="stack max-w-[880px]">
      {idempotencyKey ? <input type="hidden" name="idempotency_key" value={idempotencyKey} /> : null}
      {opened === undefined ? null : <OpenedValue name="opened" values={fields.values} value={opened} />}
      <FormSummary {...form.summary} />
      <Card title="Product">
        <ProductFields {...fields} categories={categories} />
      </Card>
      <div className="actions">
        <LinkButton to={cancelTo} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" busy={busy} busyLabel="Saving...">
          {submit}
        </Button>
      </div>
    </Form>
  );
}
