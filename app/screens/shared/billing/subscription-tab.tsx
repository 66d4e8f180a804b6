import { CreditCard } from "lucide-react";
import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import type { PaymentMethod } from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payments/payment-method.ts";
import { plans, trialCampaignLimit } from "#app/domain/billing/plan.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { LinkButton } from "#app/ui/button.tsx";
import { formatNumberOf } from "#app/ui/format.ts";
import { Card, EmptyState, type Fact, Facts } from "#app/ui/layout.tsx";
import { MoneyStatus } from "./money-status.tsx";
import { PaymentsNotSetUp } from "./payments-not-set-up.tsx";
import { PlanCards } from "./plan-cards.tsx";
import { type Funding, PlanFundingCard } from "./plan-funding-card.tsx";

type Loaded = {
  subscription: Subscription | null;
  /** Campaigns that take a place of the plan. */
  used: number;
  method: PaymentMethod | null;
  funding: Funding;
};

/** The publisher's plan, what comes next of it, and the plans there are. */
export function SubscriptionTab({ base, loaded, setUp }: { base: PortalBase; loaded: Loaded; setUp: boolean }) {
  const { subscription } = loaded;
  return (
    <div className="stack">
      {subscription ? (
        <YourPlan base={base} subscription={subscription} loaded={loaded} />
      ) : (
        <Card>
          <EmptyState icon={CreditCard} title="No active subscription">
            Without a plan you can run {formatNumberOf(trialCampaignLimit, "campaign")} at a time.
          </EmptyState>
        </Card>
      )}
      {setUp ? <PlanFundingCard funding={loaded.funding} method={loaded.method} /> : <PaymentsNotSetUp />}
      <PlanCards base={base} setUp={setUp} current={subscription?.planType} />
    </div>
  );
}

function YourPlan({ base, subscription, loaded }: { base: PortalBase; subscription: Subscription; loaded: Loaded }) {
  const { planType, status, cancelAtPeriodEnd, nextPlanType } = subscription;
  const to = (path: `/${string}`) => portalHref(base, `/billing/subscription${path}`);
  const changes = cancelAtPeriodEnd || nextPlanType !== null;
  return (
    <Card
      title="Your plan"
      aside={<MoneyStatus status={status} label={status === "past_due" ? "Past due" : undefined} />}
    >
      <div className="form-grid">
        <Facts facts={factsOf(subscription, loaded)} />
        <div className="actions">
          {changes ? (
            <LinkButton to={to(`/plans/${planType}`)} variant="primary">
              Keep {plans[planType].label}
            </LinkButton>
          ) : null}
          {cancelAtPeriodEnd ? null : <LinkButton to={to("/cancel")}>Cancel plan</LinkButton>}
        </div>
      </div>
    </Card>
  );
}

function factsOf(subscription: Subscription, { used, method, funding }: Loaded): Fact[] {
  const { planType, monthlyAmount, periodStartedAt, periodEndsAt, next, nextPlanType, cancelAtPeriodEnd } =
    subscription;
  const { campaignLimit, label } = plans[planType];
  const end = formatDate(periodEndsAt);
  return [
    { label: "Plan", value: label },
    { label: "A month", value: formatCents(monthlyAmount) },
    { label: "Campaigns", value: campaignLimit === undefined ? `${used}, no limit` : `${used} of ${campaignLimit}` },
    { label: "Paid period", value: `${formatDate(periodStartedAt)} – ${end}` },
    { label: "Next charge", value: next ? `${formatCents(next.amount)} on ${formatDate(next.at)}` : "None" },
    { label: "Paid from", value: funding.payFrom === "earnings" ? "Your earnings first" : "Your payment method" },
    { label: "Payment method", value: method ? methodName(method) : "None yet" },
    ...(nextPlanType ? [{ label: `From ${end} on`, value: plans[nextPlanType].label }] : []),
    ...(cancelAtPeriodEnd ? [{ label: "Ends on", value: end }] : []),
  ];
}
