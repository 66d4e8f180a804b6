import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { Attention } from "#app/screens/shared/attention.tsx";
import { type FormValues, formStateOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Card } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { ProductFields } from "./product-fields.tsx";

/** The form of a product, new or not. */
export function ProductForm({
  stored,
  refused,
  categories,
  formKey,
  submit,
  cancelTo,
}: {
  stored: FormValues;
  refused: SubmissionResult<string[]> | undefined;
  categories: readonly string[];
  formKey?: string;
  submit: string;
  cancelTo: string;
}) {
  const fields = formStateOf(refused, stored);
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" noValidate className="stack max-w-[880px]">
      {formKey ? <input type="hidden" name="idempotency_key" value={formKey} /> : null}
      <Attention to={refused}>
        <ErrorSummary errors={summaryOf(fields.errors)} />
      </Attention>
      <Card title="Product">
        <ProductFields {...fields} categories={categories} />
      </Card>
      <div className="actions justify-end">
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
