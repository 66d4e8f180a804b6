import type { Subscription } from "#app/domain/billing/find-subscription.server.ts";
import type { PaymentMethod } from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { methodName } from "#app/domain/billing/payment-methods/payment-method.ts";
import { plans, trialCampaignLimit } from "#app/domain/billing/plan.ts";
import { formatDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { BillingStatusBadge } from "#app/screens/shared/billing/billing-status-badge.tsx";
import { PaymentsUnavailable } from "#app/screens/shared/billing/payments-unavailable.tsx";
import { PlanFundingCard, type PlanFundingState } from "#app/screens/shared/billing/plan-funding-card.tsx";
import { LinkButton } from "#app/ui/button.tsx";
import { pluralize } from "#app/ui/format.ts";
import { Card, type DescriptionItem, DescriptionList, EmptyState } from "#app/ui/page-header.tsx";
import { PlanCards } from "./plan-cards.tsx";

type Loaded = {
  subscription: Subscription | null;
  /** The number of campaigns that count toward the plan's limit. */
  used: number;
  method: PaymentMethod | null;
  funding: PlanFundingState;
};

/** The publisher's plan, its next change, and all plans. */
export function SubscriptionTab({
  base,
  loaded,
  paymentsEnabled,
}: {
  base: PortalBase;
  loaded: Loaded;
  paymentsEnabled: boolean;
}) {
  const { subscription } = loaded;
  return (
    <div className="stack">
      {subscription ? (
        <YourPlan base={base} subscription={subscription} loaded={loaded} />
      ) : (
        <Card>
          <EmptyState icon="credit-card" title="No active subscription">
            Without a plan, you can run {pluralize(trialCampaignLimit, "campaign")} at a time. Choose a plan below to
            run more.
          </EmptyState>
        </Card>
      )}
      {paymentsEnabled ? (
        <PlanFundingCard funding={loaded.funding} method={loaded.method} hasPlan={subscription !== null} />
      ) : (
        <PaymentsUnavailable />
      )}
      <PlanCards base={base} paymentsEnabled={paymentsEnabled} current={subscription?.planType} />
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
      aside={<BillingStatusBadge status={status} label={status === "past_due" ? "Past due" : undefined} />}
    >
      <div className="form-grid">
        <DescriptionList facts={factsOf(subscription, loaded)} />
        <div className="actions">
          {cancelAtPeriodEnd ? null : <LinkButton to={to("/cancel")}>Cancel plan</LinkButton>}
          {changes ? (
            <LinkButton to={to(`/plans/${planType}`)} variant="primary">
              Keep {plans[planType].label}
            </LinkButton>
          ) : null}
        </div>
      </div>
    </Card>
  );
}

function factsOf(subscription: Subscription, { used, method, funding }: Loaded): DescriptionItem[] {
  const { planType, monthlyAmount, periodStartedAt, periodEndsAt, next, nextPlanType, cancelAtPeriodEnd, overdue } =
    subscription;
  const { campaignLimit, label } = plans[planType];
  const end = formatDate(periodEndsAt);
  return [
    { label: "Plan", value: label },
    { label: "Monthly price", value: formatCents(monthlyAmount) },
    { label: "Campaigns", value: campaignLimit === undefined ? `${used}, no limit` : `${used} of ${campaignLimit}` },
    { label: "Billing period", value: `${formatDate(periodStartedAt)} – ${end}` },
    {
      label: "Next charge",
      value: next ? `${formatCents(next.amount)} on ${formatDate(next.at)}` : "No upcoming charge",
    },
    { label: "Paid from", value: funding.payFrom === "earnings" ? "Earnings first" : "Payment method" },
    { label: "Payment method", value: method ? methodName(method) : "Not set" },
    ...(nextPlanType ? [{ label: `Plan from ${end}`, value: plans[nextPlanType].label }] : []),
    ...(cancelAtPeriodEnd ? [{ label: "Ends on", value: overdue ? formatDate(overdue.endsAt) : end }] : []),
  ];
}
