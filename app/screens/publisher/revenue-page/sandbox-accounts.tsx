import { Form, useNavigation } from "@remix-run/react";
import { sandboxAccounts } from "#app/domain/billing/payouts/sandbox-account.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Card } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";

/** The accounts of the sandbox, of which one is chosen. `refused` is what came of a form that was sent. */
export function SandboxAccounts({
  base,
  lastFour,
  errors,
  refused,
}: {
  base: PortalBase;
  lastFour: string | undefined;
  errors: Readonly<Record<string, readonly string[] | undefined>>;
  refused: unknown;
}) {
  const known = sandboxAccounts.find((account) => account.lastFour === lastFour);
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" className="stack max-w-2xl">
      <Attention to={refused}>
        <ErrorSummary errors={summaryOf(errors)} />
      </Attention>
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
          errors={errors.token}
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
