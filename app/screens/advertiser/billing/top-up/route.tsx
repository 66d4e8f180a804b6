import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData, useNavigation } from "@remix-run/react";
import { type MouseEvent, useState } from "react";
import { z } from "zod";
import { listUsableMethods } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { findFailedTopUp } from "#app/domain/billing/wallet/find-failed-top-up.server.ts";
import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import { quickAmounts } from "#app/domain/billing/wallet/top-up.ts";
import { topUpSchema } from "#app/domain/billing/wallet/top-up-payloads.ts";
import { topUpWalletFromPage } from "#app/domain/billing/wallet/top-up-wallet.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import { newId, parseId, type TopUpId } from "#app/domain/ids.ts";
import { centsToDollars, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { arePaymentsSetUp } from "#app/domain/payments/active-payment-provider.server.ts";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { NoPaymentMethods, PaymentMethodField } from "#app/screens/advertiser/billing/payment-method-field.tsx";
import { topUpFormHref } from "#app/screens/advertiser/billing/top-up-form-href.ts";
import { topUpMessage } from "#app/screens/advertiser/billing/top-up-message.server.ts";
import { useDeclinedPayment } from "#app/screens/advertiser/billing/use-declined-payment.ts";
import { PaymentsUnavailable } from "#app/screens/shared/billing/payments-unavailable.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { MoneyField } from "#app/ui/field.tsx";
import { FormSummary } from "#app/ui/form/form-summary.tsx";
import { fieldText } from "#app/ui/form/form-values.ts";
import { useCheckedForm } from "#app/ui/form/use-checked-form.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Form, Link } from "#app/ui/link.tsx";
import { Breadcrumbs, Card, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const { searchParams } = new URL(request.url);
  const failedId = parseId<TopUpId>(searchParams.get("payment") ?? undefined);
  const [methods, wallet, failed] = await Promise.all([
    listUsableMethods(ctx),
    getWallet(ctx),
    failedId && findFailedTopUp(ctx, { id: failedId, invoiceId: undefined }),
  ]);
  // Each page load gets a new idempotency key, so that a retry is a new payment.
  const prefill = { amount: searchParams.get("amount") ?? "", payment_method_id: searchParams.get("method") ?? "" };
  return {
    base,
    next: detourNext(request.url, base),
    paymentsEnabled: arePaymentsSetUp(),
    methods,
    wallet,
    key: newId(),
    prefill,
    failed,
    checks: checksOf(formSchema),
  };
}

const formSchema = topUpSchema.extend({ idempotency_key: z.uuid("Reload this page and try again") });

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "advertiser", context);
  const next = detourNext(request.url, base);
  return handleForm(request, formSchema, async ({ idempotency_key, ...input }) => {
    const returnPath = (id: TopUpId) => withNext(portalHref(base, `/billing/top-ups/${id}`), next);
    const done = await topUpWalletFromPage(ctx, { ...input, key: `form/${idempotency_key}`, returnPath });
    if (done.status === "needs_confirmation" && done.confirmUrl) return redirect(done.confirmUrl);
    if (done.status === "pending") return redirect(returnPath(done.id));
    if (done.failure) {
      const form = topUpFormHref(base, {
        amount: input.amount,
        method: input.payment_method_id,
        payment: done.id,
        next,
      });
      return redirectWithFlash(form, { tone: "error", message: done.failure });
    }
    const message = await topUpMessage(ctx, done.amount);
    return redirectWithFlash(next ?? portalHref(base, "/billing"), { tone: "success", message });
  });
}

/** A rejected form gets a new idempotency key, because it is a new attempt. */
export function shouldRevalidate() {
  return true;
}

export default function TopUp() {
  const { base, paymentsEnabled, methods, wallet, prefill, failed } = useLoaderData<typeof loader>();
  const billing = portalHref(base, "/billing");
  return (
    <>
      <Breadcrumbs trail={[{ to: billing, label: "Billing & Spend" }]} here="Top up" />
      <PageHeader title="Top up your wallet" subtitle={`Balance: ${formatCents(wallet.balance)}`} />
      {paymentsEnabled ? null : <PaymentsUnavailable />}
      {paymentsEnabled && methods.length === 0 ? <NoPaymentMethods base={base} /> : null}
      {paymentsEnabled && methods.length > 0 ? <TopUpForm key={JSON.stringify([prefill, failed?.id])} /> : null}
    </>
  );
}

function TopUpForm() {
  const { base, next, methods, key, prefill, failed, checks } = useLoaderData<typeof loader>();
  const declined = useDeclinedPayment(failed, prefill);
  const rejected = useFormResponse<typeof action>() ?? declined;
  const { fields, ...form } = useCheckedForm({ checks, rejected, stored: prefill });
  const { values, errors } = fields;
  const busy = useNavigation().state !== "idle";
  const chosen = fieldText(values, "payment_method_id");
  const [amount, setAmount] = useState(fieldText(values, "amount"));
  return (
    <Form method="post" {...form.props} className="stack max-w-2xl">
      <FormSummary {...form.summary} />
      <input type="hidden" name="idempotency_key" value={key} />
      <Card>
        <div className="form-grid">
          <MoneyField
            name="amount"
            label="Amount"
            required
            hint="From $10 to $100,000"
            defaultValue={fieldText(values, "amount")}
            errors={errors.amount}
            onInput={(event) => setAmount(event.currentTarget.value)}
          />
          <QuickAmounts amount={amount} method={chosen} formId={form.props.id} />
          <PaymentMethodField methods={methods} chosen={chosen} errors={errors.payment_method_id} />
        </div>
      </Card>
      <div className="actions">
        <LinkButton to={next ?? portalHref(base, "/billing")} variant="ghost">
          Cancel
        </LinkButton>
        <Button variant="primary" icon="wallet" busy={busy} busyLabel="Paying...">
          Pay now
        </Button>
      </div>
    </Form>
  );
}

/** The usual amounts. With scripting they are entered in the form, where the chosen card stays. */
function QuickAmounts({ amount, method, formId }: { amount: string; method: string; formId: string }) {
  const { next } = useLoaderData<typeof loader>();
  const enter = (event: MouseEvent, text: string) => {
    const field = document.forms.namedItem(formId)?.elements.namedItem("amount");
    const isNewTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (isNewTab || !(field instanceof HTMLInputElement)) return;
    event.preventDefault();
    field.value = text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  };
  return (
    <nav aria-label="Quick amounts" className="chips">
      {quickAmounts.map((cents) => {
        const text = String(centsToDollars(cents));
        const query = new URLSearchParams(method ? { amount: text, method } : { amount: text });
        return (
          <Link
            key={cents}
            to={withNext(`?${query}`, next)}
            className="button"
            aria-current={text === amount ? "true" : undefined}
            onClick={(event) => enter(event, text)}
          >
            {formatCentsShort(cents)}
          </Link>
        );
      })}
    </nav>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Top up your wallet") }];
