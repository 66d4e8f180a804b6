import { useNavigation } from "@remix-run/react";
import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import type { PayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { centsToDollars, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { stripeAccountCopy } from "#app/screens/publisher/revenue/stripe-account-copy.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

type Account = { bank: string; lastFour: string } | null;

/** The date, amount and destination of the next payout, and a button that pays that amount out now. */
export function NextPayout({
  base,
  balance: { next, available, inTransit },
  payoutsEnabled,
  account,
  accountStatus,
  idempotencyKey,
}: {
  base: PortalBase;
  balance: PayoutBalance;
  /** Whether a payout provider is configured. */
  payoutsEnabled: boolean;
  account: Account;
  /** The status of the Stripe account; null if the publisher has not started onboarding. */
  accountStatus: PayoutAccountStatus | null;
  idempotencyKey: string;
}) {
  const busy = useNavigation().formMethod === "POST";
  const enough = next.amount >= minimumPayout;
  if (!payoutsEnabled) {
    return (
      <Card title="Next payout">
        <p>No payout provider is connected yet. Your earnings stay in your balance.</p>
      </Card>
    );
  }
  return (
    <Card title="Next payout">
      <DescriptionList
        facts={[
          { label: "Date", value: formatDate(next.date) },
          { label: "Amount so far", value: formatCents(next.amount) },
          { label: "Destination", value: account ? `${account.bank} ending ${account.lastFour}` : "Not set" },
        ]}
      />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-x-8 gap-y-3">
        <p className="hint min-w-0 flex-[1_1_280px]">
          {payoutBlockedReason({ account, accountStatus, inTransit, available }) ??
            `Available earnings are paid out on the first of each month (UTC)${next.leavesPlanPayment ? ", except what your plan's next payment needs" : ""}, or right away when you request a payout.`}{" "}
          {enough ? "" : `Balances below ${formatCentsShort(minimumPayout)} carry over to the next month.`}
        </p>
        <div className="actions">
          <LinkButton to={portalHref(base, "/revenue/account")}>
            {account ? "Change bank account" : accountStatus ? "View bank account" : "Add bank account"}
          </LinkButton>
          {account && inTransit === 0 && available >= minimumPayout ? (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="idempotency_key" value={idempotencyKey} />
              <input type="hidden" name="amount" value={centsToDollars(available)} />
              <Button variant="primary" icon="send" busy={busy} busyLabel="Requesting...">
                Request payout of {formatCents(available)}
              </Button>
            </Form>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

type WhyNot = { account: Account; accountStatus: PayoutAccountStatus | null; inTransit: number; available: number };

/** Returns why there is no payout button. */
function payoutBlockedReason({ account, accountStatus, inTransit, available }: WhyNot) {
  if (!account && accountStatus) return `${stripeAccountCopy(accountStatus).title}.`;
  if (!account) return "Add a bank account to receive payouts.";
  if (inTransit > 0) return "A payout is in transit. You can request the next one after it arrives.";
  return available < minimumPayout
    ? `You can request a payout once ${formatCentsShort(minimumPayout)} is available.`
    : undefined;
}
