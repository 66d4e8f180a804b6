import { Check } from "lucide-react";
import { type PlanType, plans, planTypes } from "#app/domain/billing/plan.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { type PortalBase, portalHref } from "#app/portal/href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";

type Shown = {
  base: PortalBase;
  current: PlanType | undefined;
  /** Somebody takes payments here: else only a smaller plan, which costs nothing now, can be chosen. */
  setUp: boolean;
};

/**
 * The three plans. The current one's button is disabled, the others say Upgrade (specification, section 9), a smaller one too: what it
 * does stands beside it, and on the page that asks first.
 */
export function PlanCards({ base, current, setUp }: Shown) {
  return (
    <ul className="grid gap-4 md:grid-cols-3" aria-label="Plans">
      {planTypes.map((plan) => (
        <PlanCard key={plan} plan={plan} base={base} current={current} setUp={setUp} />
      ))}
    </ul>
  );
}

function PlanCard({ base, plan, current, setUp }: Shown & { plan: PlanType }) {
  const { label, monthlyAmount, features } = plans[plan];
  const smaller = current !== undefined && monthlyAmount < plans[current].monthlyAmount;
  return (
    <li className="card flex flex-col">
      <div className="card-head">
        <h2>{label}</h2>
        {plan === current ? <Badge tone="accent">Current plan</Badge> : null}
      </div>
      <div className="card-body flex flex-1 flex-col gap-4">
        <p>
          <strong className="text-2xl">{formatCentsShort(monthlyAmount)}</strong>
          <span className="hint">/month</span>
        </p>
        <ul className="flex flex-1 flex-col gap-2">
          {features.map((feature) => (
            <li key={feature} className="flex items-center gap-2">
              <Check aria-hidden className="size-4 shrink-0" />
              {feature}
            </li>
          ))}
        </ul>
        {plan === current || !(setUp || smaller) ? (
          <Button type="button" disabled>
            {plan === current ? "Current plan" : "Upgrade"}
          </Button>
        ) : (
          <LinkButton
            to={portalHref(base, `/billing/subscription/plans/${plan}`)}
            variant={smaller ? "secondary" : "primary"}
          >
            Upgrade
            <span className="sr-only"> to {label}</span>
          </LinkButton>
        )}
        <p className="hint">{setUp || smaller || plan === current ? hintOf(plan, current, smaller) : notSetUp}</p>
      </div>
    </li>
  );
}

const notSetUp = "Payments are not set up here yet";

function hintOf(plan: PlanType, current: PlanType | undefined, smaller: boolean): string {
  if (plan === current) return "What you have now";
  if (smaller) return "A smaller plan: from your next period on";
  return current ? "At once, for the days that are left" : "At once, paid by the month";
}
