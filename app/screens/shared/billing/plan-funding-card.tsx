import { useNavigation } from "@remix-run/react";
import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import type { PlanFunding } from "#app/domain/billing/subscription/plan-funding.ts";
import { type Cents, formatCents } from "#app/domain/money.ts";
import { Button } from "#app/ui/button.tsx";
import { Form } from "#app/ui/link.tsx";
import { Card } from "#app/ui/page-header.tsx";

/** What the plan is paid from, and the earnings available for it now. */
export type PlanFundingState = { payFrom: PlanFunding; available: Cents };

/** Shows what the plan is or will be paid from, in which order, and a button to switch. */
export function PlanFundingCard({
  funding,
  method,
  hasPlan,
}: {
  funding: PlanFundingState;
  method: PaymentMethod | null;
  hasPlan: boolean;
}) {
  const { payFrom, available } = funding;
  const busy = useNavigation().state !== "idle";
  const byMethod = method ? methodName(method) : "your payment method";
  const isNetted = payFrom === "earnings";
  return (
    <Card title={isNetted ? "Paid from your earnings" : "Pay from your earnings"}>
      <div className="form-grid">
        <p>
          {isNetted
            ? `If your available earnings cover the full amount${hasPlan ? "" : " of the plan that you choose"}, it is deducted from your next payout. Otherwise ${byMethod} is charged. Monthly payouts leave enough for the next payment.`
            : `${hasPlan ? "Your plan is" : "The plan that you choose will be"} charged to ${byMethod}. You can pay from your earnings instead, which reduces your next payout.`}{" "}
          Available earnings: {formatCents(available)}.
        </p>
        <div className="actions">
          <Form method="post">
            <Button name="pay_from" value={isNetted ? "payment_method" : "earnings"} busy={busy}>
              {isNetted ? "Pay with my payment method" : "Pay from my earnings"}
            </Button>
          </Form>
        </div>
      </div>
    </Card>
  );
}
