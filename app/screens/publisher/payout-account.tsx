import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Banknote } from "lucide-react";
import {
  findAccountState,
  findPayoutAccount,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutAccountSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { findPayoutsBy } from "#app/domain/billing/payouts/provider-of.server.ts";
import { beginPayoutAccount } from "#app/domain/billing/payouts/stripe/begin-payout-account.server.ts";
import { followPayoutAccount } from "#app/domain/billing/payouts/stripe/follow-payout-account.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { pageTitle } from "#app/domain/product.ts";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/layout.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { submitForm } from "#app/web/form.server.ts";
import { checksOf } from "#app/web/form-checks.server.ts";
import { SandboxAccounts } from "./revenue-page/sandbox-accounts.tsx";
import { StripeAccount } from "./revenue-page/stripe-account.tsx";
import { stripeWords } from "./revenue-page/stripe-words.ts";

/** Stripe's page comes back here: with `back=done`, or with `back=again` when it was too old and another one is to be opened. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  const by = findPayoutsBy();
  const back = new URL(request.url).searchParams.get("back");
  if (back && by === "stripe") return back === "again" ? openStripe(ctx, base) : comeBack(ctx, base);
  const [account, stands] = [await findPayoutAccount(ctx), await findAccountState(ctx)];
  const checks = checksOf(payoutAccountSchema);
  return { base, by: by ?? null, account: account ?? null, stands: stands ?? null, checks };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await enterPortal(request, "publisher", context);
  if (findPayoutsBy() === "stripe") return openStripe(ctx, base);
  return submitForm(request, payoutAccountSchema, async ({ token }) => {
    await setPayoutAccount(ctx, { token });
    const message = "Payouts go to this account from now on";
    return redirectWithFlash(portalHref(base, "/revenue"), { tone: "success", message });
  });
}

async function openStripe(ctx: Ctx<PublisherActor>, base: PortalBase) {
  const [returnPath, refreshPath] = [
    portalHref(base, "/revenue/account?back=done"),
    portalHref(base, "/revenue/account?back=again"),
  ];
  return orSayWhy(base, async () => redirect((await beginPayoutAccount(ctx, { returnPath, refreshPath })).url));
}

async function comeBack(ctx: Ctx<PublisherActor>, base: PortalBase) {
  return orSayWhy(base, async () => {
    await followPayoutAccount(ctx);
    const [account, stands] = [await findPayoutAccount(ctx), await findAccountState(ctx)];
    if (account) {
      const message = `Payouts go to ${account.bank} ending ${account.lastFour}`;
      return redirectWithFlash(portalHref(base, "/revenue"), { tone: "success", message });
    }
    const message = stripeWords(stands ?? null).title;
    return redirectWithFlash(portalHref(base, "/revenue/account"), { tone: "info", message });
  });
}

async function orSayWhy<T>(base: PortalBase, work: () => Promise<T>) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return redirectWithFlash(portalHref(base, "/revenue/account"), { tone: "error", message: error.message });
  }
}

export default function PayoutAccount() {
  const { base, by, account, stands, checks } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/revenue"), label: "Revenue" }]} here="Bank account" />
      <PageHeader
        title="Bank account"
        subtitle="Where your earnings are paid to. No account number is stored, only a token and its last four digits."
      />
      {by === null ? (
        <Card>
          <EmptyState icon={Banknote} title="Payouts are not set up">
            Nobody carries out payouts for this installation yet. What you earn stays in your balance.
          </EmptyState>
        </Card>
      ) : null}
      {by === "sandbox" ? (
        <SandboxAccounts base={base} lastFour={account?.lastFour} refused={refused} checks={checks} />
      ) : null}
      {by === "stripe" ? <StripeAccount base={base} account={account} stands={stands} /> : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Bank account") }];
