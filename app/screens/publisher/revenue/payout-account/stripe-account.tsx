import type { PayoutAccountStatus } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { stripeAccountCopy } from "#app/screens/publisher/revenue/stripe-account-copy.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Form, useIsPosting } from "#app/ui/link.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";

type Account = { bank: string; lastFour: string; changedAt: Date } | null;

/** The status of the publisher's Stripe account, and the button that opens Stripe's onboarding. */
export function StripeAccount({
  next,
  account,
  accountStatus,
}: {
  /** Where the page leads back to. */
  next: string;
  account: Account;
  accountStatus: PayoutAccountStatus | null;
}) {
  const { tone, title, text, button } = stripeAccountCopy(accountStatus);
  const busy = useIsPosting();
  return (
    <Form method="post" className="stack max-w-2xl">
      <Notice tone={tone} title={title}>
        {text}
      </Notice>
      {account ? (
        <Card>
          <DescriptionList
            facts={[
              { label: "Payouts go to", value: `${account.bank} ending ${account.lastFour}` },
              { label: "Since", value: formatDate(account.changedAt) },
            ]}
          />
        </Card>
      ) : null}
      <div className="actions">
        <LinkButton to={next} variant="ghost">
          Back
        </LinkButton>
        <Button variant={accountStatus?.state === "enabled" ? "secondary" : "primary"} icon="external-link" busy={busy}>
          {button}
        </Button>
      </div>
    </Form>
  );
}
