import type { SubmissionResult } from "@conform-to/react";
import { memo, type ReactNode } from "react";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import type { FieldsProps, FormErrors, FormValues } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form } from "#app/ui/link.tsx";
import type { SummaryError } from "#app/ui/notice.tsx";
import { editFields } from "./autosave-protocol.ts";
import { NoteChangeContext } from "./note-change.ts";
import type { useAutosave } from "./use-autosave.ts";

export type WizardFormProps = {
  stored?: FormValues;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
  /** The errors of saved values that do not fit each other, shown at their fields. */
  problems: FormErrors;
  /** The errors as the summary lists them. */
  listErrors: (errors: FormErrors) => SummaryError[];
  notes?: ReactNode;
  children: (fields: FieldsProps) => ReactNode;
};

/** A step's form with its error summary; `files` if the form may contain files. */
export function WizardForm({
  files,
  formKey,
  autosave,
  notes,
  listErrors,
  problems,
  children,
  ...state
}: WizardFormProps & { files: boolean; formKey: string; autosave: ReturnType<typeof useAutosave> }) {
  const { fields, ...form } = useCheckedForm({ ...state, id: "wizard", blocksSubmit: false });
  const encType = files ? "multipart/form-data" : undefined;
  return (
    <>
      <FormSummary {...form.summary} listed={listErrors(form.summary.errors)} />
      {notes}
      <Form
        method="post"
        encType={encType}
        {...form.props}
        data-key={formKey}
        className="stack"
        onInput={autosave.onInput}
        onBlur={(event) => {
          form.props.onBlur(event);
          autosave.onBlur(event);
        }}
        onSubmit={(event) => {
          form.props.onSubmit(event);
          // Conform checks a field by a submission that it prevents.
          if (!event.defaultPrevented) autosave.onSubmit();
        }}
      >
        <EditFields />
        <NoteChangeContext.Provider value={autosave.noteChange}>
          {children({ ...fields, errors: { ...problems, ...fields.errors } })}
        </NoteChangeContext.Provider>
      </Form>
    </>
  );
}

/** Filled in by the script that saves the form. Rendered once: React would empty them with the next rendering. */
const EditFields = memo(() => (
  <>
    <input type="hidden" name={editFields.session} defaultValue="" />
    <input type="hidden" name={editFields.revision} defaultValue="" />
  </>
));

/**
 * Enter submits a form's first button in document order; this hidden one is first, so that Enter means Next, not
 * Previous.
 */
export function DefaultSubmitButton() {
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
