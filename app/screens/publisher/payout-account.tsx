import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Form, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Banknote } from "lucide-react";
import { findPayoutAccount, setPayoutAccount } from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutAccountSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { findPayoutsBy } from "#app/domain/billing/payouts/provider-of.server.ts";
import { sandboxAccounts } from "#app/domain/billing/payouts/sandbox-account.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { Attention } from "#app/screens/shared/attention.tsx";
import { formStateOf } from "#app/screens/shared/campaign-fields/form-values.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/field.tsx";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { ErrorSummary, summaryOf } from "#app/ui/notice.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return { base, setUp: findPayoutsBy() !== undefined, account: (await findPayoutAccount(ctx)) ?? null };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  return submitForm(request, payoutAccountSchema, async ({ token }) => {
    await setPayoutAccount(ctx, { token });
    const message = "Payouts go to this account from now on";
    return redirectWithFlash(portalHref(base, "/revenue"), { tone: "success", message });
  });
}

export default function PayoutAccount() {
  const { base, setUp, account } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const known = sandboxAccounts.find(({ lastFour }) => lastFour === account?.lastFour);
  const { errors } = formStateOf(refused, {});
  const busy = useNavigation().state === "submitting";
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/revenue"), label: "Revenue" }]} here="Bank account" />
      <PageHeader
        title="Bank account"
        subtitle="Where your earnings are paid to. No account number is stored, only a token and its last four digits."
      />
      {setUp ? null : (
        <Card>
          <EmptyState icon={Banknote} title="Payouts are not set up">
            Nobody carries out payouts for this installation yet. What you earn stays in your balance.
          </EmptyState>
        </Card>
      )}
      {setUp ? (
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
              options={sandboxAccounts.map(({ token, bank, lastFour, words }) => ({
                value: token,
                label: `${bank} ending ${lastFour}`,
                hint: words,
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
      ) : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Bank account") }];
