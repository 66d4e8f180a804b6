import { Form, useNavigation } from "@remix-run/react";
import { Send } from "lucide-react";
import type { PayoutBalance } from "#app/domain/billing/payouts/get-payout-balance.server.ts";
import { minimumPayout } from "#app/domain/billing/payouts/payout.ts";
import type { AccountState } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { dollarsOf, formatCents, formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";
import { stripeWords } from "./stripe-words.ts";

type Account = { bank: string; lastFour: string } | null;

/** When and how much, where it goes, and the button that does not wait for it: with the amount it pays. */
export function NextPayout({
  base,
  balance: { next, available, inTransit },
  setUp,
  account,
  stands,
  formKey,
}: {
  base: PortalBase;
  balance: PayoutBalance;
  /** Somebody carries payouts out here. */
  setUp: boolean;
  account: Account;
  /** At Stripe; null where the publisher never went there. */
  stands: AccountState | null;
  formKey: string;
}) {
  const busy = useNavigation().formMethod === "POST";
  const enough = next.amount >= minimumPayout;
  if (!setUp) {
    return (
      <Card title="Next payout">
        <p>Payouts are not set up here. What you earn stays in your balance.</p>
      </Card>
    );
  }
  return (
    <Card title="Next payout">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div className="grow">
          {" "}
          <Facts
            facts={[
              { label: "Date", value: formatDate(next.date) },
              { label: "Amount so far", value: formatCents(next.amount) },
              { label: "Goes to", value: account ? `${account.bank} ending ${account.lastFour}` : "Not set" },
            ]}
          />
        </div>
        <div className="actions">
          <LinkButton to={portalHref(base, "/revenue/account")}>
            {account ? "Change bank account" : stands ? "See bank account" : "Add bank account"}
          </LinkButton>
          {account && inTransit === 0 && available >= minimumPayout ? (
            <Form method="post" preventScrollReset>
              <input type="hidden" name="idempotency_key" value={formKey} />
              <input type="hidden" name="amount" value={dollarsOf(available)} />
              <Button variant="primary" icon={Send} busy={busy} busyLabel="Requesting...">
                Request payout of {formatCents(available)}
              </Button>
            </Form>
          ) : null}
        </div>
      </div>
      <p className="hint mt-3">
        {whyNot({ account, stands, inTransit, available }) ??
          "What is available is paid out on the first of each month (UTC), or at once when you request it."}
        {enough ? "" : ` Below ${formatCentsShort(minimumPayout)} it stays in your balance for the next month.`}
      </p>
    </Card>
  );
}

type WhyNot = { account: Account; stands: AccountState | null; inTransit: number; available: number };

/** Why there is no button. */
function whyNot({ account, stands, inTransit, available }: WhyNot) {
  if (!account && stands) return `${stripeWords(stands).title}.`;
  if (!account) return "Add the bank account that your earnings are paid to.";
  if (inTransit > 0) return "A payout is on its way. The next one is possible when it has arrived.";
  return available < minimumPayout
    ? `You can request a payout once ${formatCentsShort(minimumPayout)} is available.`
    : undefined;
}
