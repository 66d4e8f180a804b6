import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import { Button, LinkButton } from "#app/ui/button.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import type { FormValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";
import { ProductFields } from "./product-fields.tsx";

/** The form of a new or existing product. */
export function ProductForm({
  stored,
  rejected,
  checks,
  categories,
  idempotencyKey,
  submit,
  cancelTo,
}: {
  stored: FormValues;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  categories: readonly string[];
  idempotencyKey?: string;
  submit: string;
  cancelTo: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" {...form.props} className="stack max-w-[880px]">
      {idempotencyKey ? <input type="hidden" name="idempotency_key" value={idempotencyKey} /> : null}
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
