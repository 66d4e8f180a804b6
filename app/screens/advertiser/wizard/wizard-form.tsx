import type { SubmissionResult } from "@conform-to/react";
import { Form } from "@remix-run/react";
import type { ReactNode } from "react";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import type { FieldsProps, FormErrors, FormValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import type { SummaryError } from "#app/ui/notice.tsx";

export type WizardFormProps = {
  stored?: FormValues;
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  /** The errors as the summary lists them. */
  listErrors: (errors: FormErrors) => SummaryError[];
  notes?: ReactNode;
  children: (fields: FieldsProps) => ReactNode;
};

/** The form of a step, with what stops it; `files` when it may have some. */
export function WizardForm({
  files,
  onChange,
  notes,
  listErrors,
  children,
  ...state
}: WizardFormProps & { files: boolean; onChange: () => void }) {
  const { fields, ...form } = useCheckedForm({ ...state, id: "wizard", holdsBack: false });
  const encType = files ? "multipart/form-data" : undefined;
  return (
    <>
      <FormSummary {...form.summary} listed={listErrors(form.summary.errors)} />
      {notes}
      <Form method="post" encType={encType} {...form.props} className="stack" onChange={onChange}>
        {children(fields)}
      </Form>
    </>
  );
}

/** The Enter key presses a form's first button in the page, wherever it stands: this one, so that it goes on and not back. */
export function EnterButton() {
  return (
    <button
      type="submit"
      form="wizard"
      name="intent"
      value="enter"
      className="sr-only"
      tabIndex={-1}
      aria-hidden="true"
    >
      Next
    </button>
  );
}
