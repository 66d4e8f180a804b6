import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, Link, useActionData, useLoaderData, useNavigation } from "@remix-run/react";
import { Wallet as WalletIcon } from "lucide-react";
import { z } from "zod";
import { listUsableMethods } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { arePaymentsSetUp } from "#app/domain/billing/payments/provider-of.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { quickAmounts } from "#app/domain/billing/wallet/top-up.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWallet } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { newId, type TopUpId } from "#app/domain/ids.ts";
import { dollarsOf, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { portalHref } from "#app/portal/href.ts";
import { PaymentsNotSetUp } from "#app/screens/shared/billing/payments-not-set-up.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { MoneyField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { textOf } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { MethodChoice, NoMethods } from "./wallet/method-choice.tsx";
import { toppedUp } from "./wallet/topped-up.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  const { searchParams } = new URL(request.url);
  const [methods, wallet] = await Promise.all([listUsableMethods(ctx), getWallet(ctx)]);
  // A new try is a new payment: each time the page is asked for, its form has a key of its own.
  const asked = { amount: searchParams.get("amount") ?? "", payment_method_id: searchParams.get("method") ?? "" };
  return { base, setUp: arePaymentsSetUp(), methods, wallet, key: newId(), asked, checks: checksOf(formSchema) };
}

const formSchema = topUpSchema.extend({ idempotency_key: z.uuid("Open this page again") });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "advertiser", context);
  return submitForm(request, formSchema, async ({ idempotency_key, ...input }) => {
    const returnPath = (id: TopUpId) => portalHref(base, `/billing/top-ups/${id}`);
    const done = await topUpWallet(ctx, { ...input, key: `form/${idempotency_key}`, returnPath });
    if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
    if (done.status === "pending") return redirect(returnPath(done.id));
    if (done.failure) {
      const again = new URLSearchParams({ amount: String(dollarsOf(input.amount)), method: input.payment_method_id });
      return redirectWithFlash(portalHref(base, `/billing/top-up?${again}`), { tone: "error", message: done.failure });
    }
    const message = await toppedUp(ctx, done.amount);
    return redirectWithFlash(portalHref(base, "/billing"), { tone: "success", message });
  });
}

export default function TopUp() {
  const { base, setUp, methods, wallet, asked } = useLoaderData<typeof loader>();
  const billing = portalHref(base, "/billing");
  return (
    <>
      <Breadcrumbs trail={[{ to: billing, label: "Billing & Spend" }]} here="Top up" />
      <PageHeader title="Top up your wallet" subtitle={`Balance ${formatCents(wallet.balance)}`} />
      {setUp ? null : <PaymentsNotSetUp />}
      {setUp && methods.length === 0 ? <NoMethods base={base} /> : null}
      {setUp && methods.length > 0 ? <TopUpForm key={JSON.stringify(asked)} /> : null}
    </>
  );
}

function TopUpForm() {
  const { base, methods, key, asked, checks } = useLoaderData<typeof loader>();
  const { fields, ...form } = useCheckedForm({ checks, refused: useActionData<typeof action>(), stored: asked });
  const { values, errors } = fields;
  const busy = useNavigation().state !== "idle";
  const chosen = textOf(values, "payment_method_id") || methods[0]?.id;
  return (
    <Form method="post" {...form.props} reloadDocument className="stack max-w-2xl">
      <FormSummary {...form.summary} />
      <input type="hidden" name="idempotency_key" value={key} />
      <Card>
        <div className="form-grid">
          <MoneyField
            name="amount"
            label="Amount"
            required
            hint="From $10 to $100,000"
            defaultValue={textOf(values, "amount")}
            errors={errors.amount}
          />
          <nav aria-label="Quick amounts" className="chips">
            {quickAmounts.map((cents) => (
              <Link
                key={cents}
                to={`?amount=${dollarsOf(cents)}`}
                preventScrollReset
                replace
                className="button"
                aria-current={String(dollarsOf(cents)) === asked.amount ? "true" : undefined}
              >
                {formatCentsShort(cents)}
              </Link>
            ))}
          </nav>
          <MethodChoice methods={methods} chosen={chosen} errors={errors.payment_method_id} />
        </div>
      </Card>
      <div className="actions justify-end">
        <LinkButton to={portalHref(base, "/billing")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" icon={WalletIcon} busy={busy} busyLabel="Paying...">
          Pay now
        </Button>
      </div>
    </Form>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Top up your wallet") }];
