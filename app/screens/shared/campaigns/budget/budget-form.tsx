import type { SubmissionResult } from "@conform-to/react";
import { useNavigation } from "@remix-run/react";
import type { ReactNode } from "react";
import { BudgetFields } from "#app/screens/shared/campaigns/fields/budget-fields.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { type FormValues, fieldText } from "#app/ui/form/form-values.ts";
import { OpenedValue } from "#app/ui/form/opened-value.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import { listBudgetErrors } from "./list-budget-errors.ts";

/** The form that changes a campaign's budgets and end date without the other steps. */
export function BudgetForm({
  action,
  editHref,
  checks,
  stored,
  version,
  rejected,
  submitLabel,
  cancelHref,
  children,
}: {
  /** The URL of the screen that handles the form; it shows the form again with its errors. */
  action: string;
  /** The URL of the page with the campaign's other fields, to which their errors lead. */
  editHref: string;
  checks: FormChecks;
  stored: FormValues;
  /** The campaign's version, which the form must not replace by an older one; 0 before the first launch. */
  version: number;
  rejected?: SubmissionResult<string[]>;
  submitLabel: string;
  cancelHref?: string;
  /** What saving leads to. */
  children: ReactNode;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const busy = useNavigation().formAction === action;
  const endDate = fieldText(fields.values, "end_date");
  const readable = endDate === "" || /^\d{4}-\d\d-\d\d$/.test(endDate);
  return (
    <Form method="post" action={action} {...form.props} className="form-grid">
      <FormSummary {...form.summary} listed={listBudgetErrors(form.summary.errors, editHref)} />
      {version === 0 ? null : <OpenedValue name="version" values={fields.values} value={version} />}
      <BudgetFields {...fields} />
      <div className="form-grid form-grid-2">
        <TextField
          name="end_date"
          label="End date"
          hint={readable ? "The last day, in UTC" : "YYYY-MM-DD"}
          required
          type={readable ? "date" : "text"}
          defaultValue={endDate}
          errors={fields.errors.end_date}
        />
      </div>
      <p className="hint">{children}</p>
      <div className="actions">
        {cancelHref ? (
          <LinkButton to={cancelHref} variant="ghost">
            Cancel
          </LinkButton>
        ) : null}
        <Button variant="primary" busy={busy} busyLabel="Saving...">
          {submitLabel}
        </Button>
      </div>
    </Form>
  );
}
