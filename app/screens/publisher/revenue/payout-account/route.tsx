import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import {
  findPayoutAccount,
  findPayoutAccountStatus,
  setPayoutAccount,
} from "#app/domain/billing/payouts/payout-account.server.ts";
import { payoutAccountSchema } from "#app/domain/billing/payouts/payout-payloads.ts";
import { startPayoutOnboarding } from "#app/domain/billing/payouts/start-payout-onboarding.server.ts";
import { syncOwnConnectedAccount } from "#app/domain/billing/payouts/sync-connected-account.server.ts";
import { pageTitle } from "#app/domain/branding.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { findPayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { requirePortalAccess } from "#app/portal/require-portal-access.server.ts";
import { stripeAccountCopy } from "#app/screens/publisher/revenue/stripe-account-copy.ts";
import { useFormResponse } from "#app/ui/form/use-form-response.ts";
import { Breadcrumbs, Card, EmptyState, PageHeader } from "#app/ui/page-header.tsx";
import { redirectWithFlash } from "#app/web/flash.server.ts";
import { handleForm } from "#app/web/forms/form.server.ts";
import { checksOf } from "#app/web/forms/form-checks.server.ts";
import { SandboxAccounts } from "./sandbox-accounts.tsx";
import { StripeAccount } from "./stripe-account.tsx";

/**
 * The return URL of Stripe's onboarding: `back=done`, or `back=again` if the onboarding link had expired and a new one
 * is needed.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const by = findPayoutProviderName();
  const back = new URL(request.url).searchParams.get("back");
  const next = detourNext(request.url, base);
  if (back && by === "stripe")
    return back === "again" ? openStripe(ctx, base, next) : finishStripeOnboarding(ctx, base, next);
  const [account, accountStatus] = [await findPayoutAccount(ctx), await findPayoutAccountStatus(ctx)];
  const checks = checksOf(payoutAccountSchema);
  return {
    base,
    next: next ?? portalHref(base, "/revenue"),
    by: by ?? null,
    account: account ?? null,
    accountStatus: accountStatus ?? null,
    checks,
  };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { ctx, base } = await requirePortalAccess(request, "publisher", context);
  const next = detourNext(request.url, base);
  if (findPayoutProviderName() === "stripe") return openStripe(ctx, base, next);
  return handleForm(request, payoutAccountSchema, async ({ token }) => {
    await setPayoutAccount(ctx, { token });
    const message = "Bank account saved. New payouts go to this account.";
    return redirectWithFlash(next ?? portalHref(base, "/revenue"), { tone: "success", message });
  });
}

async function openStripe(ctx: Ctx<PublisherActor>, base: PortalBase, next: string | undefined) {
  const [returnPath, refreshPath] = [
    withNext(portalHref(base, "/revenue/account?back=done"), next),
    withNext(portalHref(base, "/revenue/account?back=again"), next),
  ];
  return redirectOnError({ base, next }, async () =>
    redirect((await startPayoutOnboarding(ctx, { returnPath, refreshPath })).url),
  );
}

async function finishStripeOnboarding(ctx: Ctx<PublisherActor>, base: PortalBase, next: string | undefined) {
  return redirectOnError({ base, next }, async () => {
    await syncOwnConnectedAccount(ctx);
    const [account, accountStatus] = [await findPayoutAccount(ctx), await findPayoutAccountStatus(ctx)];
    if (account) {
      const message = `Bank account saved. New payouts go to ${account.bank} ending ${account.lastFour}.`;
      return redirectWithFlash(next ?? portalHref(base, "/revenue"), { tone: "success", message });
    }
    const message = stripeAccountCopy(accountStatus ?? null).title;
    return redirectWithFlash(withNext(portalHref(base, "/revenue/account"), next), { tone: "info", message });
  });
}

async function redirectOnError<T>(
  { base, next }: { base: PortalBase; next: string | undefined },
  work: () => Promise<T>,
) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const page = withNext(portalHref(base, "/revenue/account"), next);
    return redirectWithFlash(page, { tone: "error", message: error.message });
  }
}

export default function PayoutAccount() {
  const { base, next, by, account, accountStatus, checks } = useLoaderData<typeof loader>();
  const rejected = useFormResponse<typeof action>();
  return (
    <>
      <Breadcrumbs trail={[{ to: portalHref(base, "/revenue"), label: "Revenue" }]} here="Bank account" />
      <PageHeader
        title="Bank account"
        subtitle="Where we send your payouts. We store only a token, the bank's name and the last four digits, never the account number."
      />
      {by === null ? (
        <Card>
          <EmptyState icon="banknote" title="Payouts are not set up">
            No payout provider is connected yet. Your earnings stay in your balance.
          </EmptyState>
        </Card>
      ) : null}
      {by === "sandbox" ? (
        <SandboxAccounts next={next} lastFour={account?.lastFour} rejected={rejected} checks={checks} />
      ) : null}
      {by === "stripe" ? <StripeAccount next={next} account={account} accountStatus={accountStatus} /> : null}
    </>
  );
}

export const meta: MetaFunction = () => [{ title: pageTitle("Bank account") }];
