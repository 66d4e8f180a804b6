import type { SubmissionResult } from "@conform-to/react";
import { savedViewLimits } from "#app/domain/saved-views/saved-view.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { TextField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { toSummaryErrors } from "#app/ui/notice.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** The name of a new or stored view or report. `sent` are the hidden fields, `submitLabel` the button. */
export function ViewNameForm({
  checks,
  rejected,
  sent,
  stored,
  placeholder = "Active by ROAS",
  hint = "Only you see your views.",
  submitLabel,
  back,
}: {
  checks: FormChecks;
  rejected: SubmissionResult<string[]> | undefined;
  sent: Readonly<Record<string, string>>;
  stored?: { name: string };
  placeholder?: string;
  hint?: string;
  submitLabel: string;
  back: string;
}) {
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored });
  const busy = useIsPosting();
  return (
    <div className="max-w-2xl">
      <Card>
        <Form method="post" {...form.props} className="form-grid">
          <FormSummary {...form.summary} listed={toSummaryErrors(form.summary.errors, ["name"])} />
          {Object.entries(sent).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <TextField
            name="name"
            label="Name"
            required
            maxLength={savedViewLimits.name}
            autoComplete="off"
            placeholder={placeholder}
            hint={hint}
            defaultValue={fieldText(fields.values, "name")}
            errors={fields.errors.name}
          />
          <div className="actions">
            <LinkButton variant="ghost" to={back}>
              Cancel
            </LinkButton>
            <Button variant="primary" busy={busy} busyLabel="Saving...">
              {submitLabel}
            </Button>
          </div>
        </Form>
      </Card>
    </div>
  );
}
