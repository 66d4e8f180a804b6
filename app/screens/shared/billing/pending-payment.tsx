import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { Cents } from "#app/domain/money.ts";
import { formatCents } from "#app/domain/money.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, DescriptionList } from "#app/ui/page-header.tsx";
import { BillingStatusBadge } from "./billing-status-badge.tsx";

/**
 * A pending payment: what it is for, its status, and the next step: the bank's confirmation, or another look at the
 * status.
 */
export function PendingPayment({
  needsConfirmation,
  amount,
  confirmUrl,
  billing,
  next,
  facts = [],
}: {
  /** Whether the payment needs the user's confirmation; otherwise it waits for the provider. */
  needsConfirmation: boolean;
  amount: Cents;
  confirmUrl: string | null;
  /** The page of billing that shows the result. */
  billing: string;
  /** The page that the payment was a detour of. */
  next: string | undefined;
  facts?: readonly { label: string; value: ReactNode }[];
}) {
  const { pathname, search } = useLocation();
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
            : "Your bank is still processing this payment. You can leave this page: billing shows the result."}
        </p>
        <div className="actions">
          <LinkButton to={next ?? billing}>{next ? "Back" : "Back to billing"}</LinkButton>
          {needsConfirmation ? null : (
            <LinkButton to={pathname + search} variant="primary">
              Check status
            </LinkButton>
          )}
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
