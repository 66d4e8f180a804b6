import type { SubmissionResult } from "@conform-to/react";
import { sandboxBankAccounts } from "#app/domain/payments/sandbox/sandbox-bank-accounts.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** The sandbox's payout accounts, of which the publisher selects one. */
export function SandboxAccounts({
  next,
  lastFour,
  rejected,
  checks,
}: {
  /** Where the page leads back to. */
  next: string;
  lastFour: string | undefined;
  rejected: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const known = sandboxBankAccounts.find((account) => account.lastFour === lastFour);
  const { fields, ...form } = useCheckedForm({ checks, rejected });
  const busy = useIsPosting();
  return (
    <Form method="post" {...form.props} className="stack max-w-2xl">
      <FormSummary {...form.summary} />
      <Card>
        <ChoiceField
          name="token"
          type="radio"
          variant="cards"
          label="Sandbox account"
          required
          options={sandboxBankAccounts.map((account) => ({
            value: account.token,
            label: `${account.bank} ending ${account.lastFour}`,
            hint: account.hint,
          }))}
          selected={known ? [known.token] : []}
          errors={fields.errors.token}
        />
      </Card>
      <div className="actions">
        <LinkButton to={next} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" busy={busy} busyLabel="Saving...">
          Save account
        </Button>
      </div>
    </Form>
  );
}
