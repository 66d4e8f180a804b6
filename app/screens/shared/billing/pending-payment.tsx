import type { ReactNode } from "react";
import type { Cents } from "#app/domain/money.ts";
import { formatCents } from "#app/domain/money.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { BillingStatusBadge } from "./billing-status-badge.tsx";

/** A pending payment: what it is for, its status, and a link to the bank's confirmation. */
export function PendingPayment({
  needsConfirmation,
  amount,
  confirmUrl,
  back,
  facts = [],
}: {
  /** Whether the payment needs the user's confirmation; otherwise it waits for the provider. */
  needsConfirmation: boolean;
  amount: Cents;
  confirmUrl: string | null;
  back: string;
  facts?: readonly { label: string; value: ReactNode }[];
}) {
  const state = <BillingStatusBadge status="pending" label={needsConfirmation ? "Needs confirmation" : "Pending"} />;
  return (
    <Card>
      <div className="form-grid">
        <DescriptionList
          facts={[...facts, { label: "Amount", value: formatCents(amount) }, { label: "Status", value: state }]}
        />
        <p>
          {needsConfirmation
            ? "Your bank asks you to confirm this payment. You aren't charged until you do."
            : "Your payment is still processing. Reload this page to check its status."}
        </p>
        <div className="actions">
          <LinkButton to={back}>Back to billing</LinkButton>
          {needsConfirmation && confirmUrl ? (
            <a className="button button-primary" href={confirmUrl}>
              Confirm payment
            </a>
          ) : null}
        </div>
      </div>
    </Card>
  );
}
