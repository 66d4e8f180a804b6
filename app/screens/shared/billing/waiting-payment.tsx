import type { ReactNode } from "react";
import type { Cents } from "#app/domain/money.ts";
import { formatCents } from "#app/domain/money.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { Card, Facts } from "#app/ui/layout.tsx";
import { MoneyStatus } from "./money-status.tsx";

/** A payment that is not over: what it is of, how it stands, and the way to the bank that asks. */
export function WaitingPayment({
  waits,
  amount,
  confirmUrl,
  back,
  facts = [],
}: {
  /** For its person; else for the provider. */
  waits: boolean;
  amount: Cents;
  confirmUrl: string | null;
  back: string;
  facts?: readonly { label: string; value: ReactNode }[];
}) {
  const state = <MoneyStatus status="pending" label={waits ? "Needs confirmation" : "Pending"} />;
  return (
    <Card>
      <div className="form-grid">
        <Facts facts={[...facts, { label: "Amount", value: formatCents(amount) }, { label: "Status", value: state }]} />
        <p>
          {waits
            ? "Your bank asks whether this payment is meant. Until you confirm it, nothing is charged."
            : "The payment provider has not said yet how it ended. This page asks again when you open it."}
        </p>
        <div className="actions">
          {waits && confirmUrl ? (
            <a className="button button-primary" href={confirmUrl}>
              Confirm payment
            </a>
          ) : null}
          <LinkButton to={back}>Back to billing</LinkButton>
        </div>
      </div>
    </Card>
  );
}
