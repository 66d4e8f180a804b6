import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import type { PayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { centsToDollars, formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { nextPayoutCopy } from "./next-payout-copy.ts";

type Account = { bank: string; lastFour: string } | null;

/** The date, amount and destination of the next payout, and a button that pays that amount out now. */
export function NextPayout({
  base,
  balance,
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
  const busy = useIsPosting();
  const { next, available, inTransit } = balance;
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
          {nextPayoutCopy({ balance, hasAccount: account !== null, accountStatus })}
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
