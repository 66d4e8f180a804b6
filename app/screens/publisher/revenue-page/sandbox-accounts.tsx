import type { SubmissionResult } from "@conform-to/react";
import { Form, useNavigation } from "@remix-run/react";
import { sandboxAccounts } from "#app/domain/billing/payouts/sandbox-account.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import type { FormChecks } from "#app/ui/form/field-checks.ts";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Card } from "#app/ui/layout.tsx";

/** The accounts of the sandbox, of which one is chosen. */
export function SandboxAccounts({
  base,
  lastFour,
  refused,
  checks,
}: {
  base: PortalBase;
  lastFour: string | undefined;
  refused: SubmissionResult<string[]> | undefined;
  checks: FormChecks;
}) {
  const known = sandboxAccounts.find((account) => account.lastFour === lastFour);
  const { fields, ...form } = useCheckedForm({ checks, refused });
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" {...form.props} className="stack max-w-2xl">
      <FormSummary {...form.summary} />
      <Card>
        <ChoiceField
          name="token"
          type="radio"
          look="cards"
          label="Account of the sandbox"
          required
          options={sandboxAccounts.map((account) => ({
            value: account.token,
            label: `${account.bank} ending ${account.lastFour}`,
            hint: account.words,
          }))}
          chosen={known ? [known.token] : []}
          errors={fields.errors.token}
        />
      </Card>
      <div className="actions">
        <Button variant="primary" busy={busy} busyLabel="Saving...">
          Save account
        </Button>
        <LinkButton to={portalHref(base, "/revenue")} variant="ghost">
          Cancel
        </LinkButton>
      </div>
    </Form>
  );
}
