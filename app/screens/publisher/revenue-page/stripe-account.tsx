import { Form, useNavigation } from "@remix-run/react";
import { ExternalLink } from "lucide-react";
import type { AccountState } from "#app/domain/billing/payouts/payout-account.server.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";
import { Notice } from "#app/ui/notice.tsx";
import { stripeWords } from "./stripe-words.ts";

type Account = { bank: string; lastFour: string; changedAt: Date } | null;

/** How the publisher's account at Stripe stands, and the button that leads there. */
export function StripeAccount({
  base,
  account,
  stands,
}: {
  base: PortalBase;
  account: Account;
  stands: AccountState | null;
}) {
  const { tone, title, text, button } = stripeWords(stands);
  const busy = useNavigation().state === "submitting";
  return (
    <Form method="post" className="stack max-w-2xl" reloadDocument>
      <Notice tone={tone} title={title}>
        {text}
      </Notice>
      {account ? (
        <Card>
          <Facts
            facts={[
              { label: "Earnings go to", value: `${account.bank} ending ${account.lastFour}` },
              { label: "Since", value: formatDate(account.changedAt) },
            ]}
          />
        </Card>
      ) : null}
      <div className="actions">
        <Button variant={stands?.state === "ready" ? "secondary" : "primary"} icon={ExternalLink} busy={busy}>
          {button}
        </Button>
        <LinkButton to={portalHref(base, "/revenue")} variant="ghost">
          Back to revenue
        </LinkButton>
      </div>
    </Form>
  );
}
