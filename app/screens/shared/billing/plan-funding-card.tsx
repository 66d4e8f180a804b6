import { Form, useNavigation } from "@remix-run/react";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import type { PlanFunding } from "#app/domain/billing/subscription/plan-funding.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { Button } from "#app/ui/button.tsx";
import { Card } from "#app/ui/layout.tsx";

/** What the plan is paid from, and what of the earnings is there for it now. */
export type Funding = { payFrom: PlanFunding; available: Cents };

/** Says what the plan is paid from, in which order, and has one button for the other way. */
export function PlanFundingCard({ funding, method }: { funding: Funding; method: PaymentMethod | null }) {
  const { payFrom, available } = funding;
  const busy = useNavigation().state !== "idle";
  const byMethod = method ? methodName(method) : "your payment method";
  const isNetted = payFrom === "earnings";
  return (
    <Card title={isNetted ? "Paid from your earnings" : "Pay from your earnings"}>
      <div className="form-grid">
        <p>
          {isNetted
            ? `Each payment is taken whole from what could be paid out to you, and your next payout is less by it. Where that does not cover it, ${byMethod} is charged.`
            : `Your plan is charged to ${byMethod}. It can be taken from what you earned instead: then your next payout is less by it.`}{" "}
          {formatCents(available)} of your earnings {available === 100 ? "is" : "are"} available now.
        </p>
        <div className="actions">
          <Form method="post">
            <Button name="pay_from" value={isNetted ? "payment_method" : "earnings"} busy={busy}>
              {isNetted ? "Pay with the payment method" : "Pay from my earnings"}
            </Button>
          </Form>
        </div>
      </div>
    </Card>
  );
}
