import { useLocation } from "@remix-run/react";
import { describePlanGain, type PlanType, plans, planTypes } from "#app/domain/billing/plan.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { detourNext, withNext } from "#app/portal/detour.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, LinkButton } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";

type Shown = {
  base: PortalBase;
  current: PlanType | undefined;
  /** Whether a payment provider is configured. Without one only a downgrade, which costs nothing now, is possible. */
  paymentsEnabled: boolean;
};

/**
 * The three plans. The current plan's button is disabled and the others say Upgrade, even for a cheaper plan: the text
 * beside the button and the confirmation page explain the effect.
 */
export function PlanCards({ base, current, paymentsEnabled }: Shown) {
  return (
    <ul className="grid gap-4 md:grid-cols-3" aria-label="Plans">
      {planTypes.map((plan) => (
        <PlanOption key={plan} plan={plan} base={base} current={current} paymentsEnabled={paymentsEnabled} />
      ))}
    </ul>
  );
}

function PlanOption({ base, plan, current, paymentsEnabled }: Shown & { plan: PlanType }) {
  const { label, monthlyAmount, features } = plans[plan];
  const smaller = current !== undefined && monthlyAmount < plans[current].monthlyAmount;
  return (
    <li className="card flex flex-col">
      <div className="card-header">
        <h2>{label}</h2>
        {plan === current ? <Badge tone="accent">Current plan</Badge> : null}
      </div>
      <div className="card-body flex flex-1 flex-col gap-4">
        <p>
          <strong className="text-2xl">{formatCentsShort(monthlyAmount)}</strong>
          <span className="hint">/month</span>
        </p>
        <p>{describePlanGain(plan)}</p>
        <ul className="flex flex-1 flex-col gap-2">
          {features.map((feature) => (
            <li key={feature} className="flex items-center gap-2">
              <Icon name="check" className="size-4 shrink-0" />
              {feature}
            </li>
          ))}
        </ul>
        {plan === current || !(paymentsEnabled || smaller) ? (
          <Button type="button" disabled>
            {plan === current ? "Current plan" : "Upgrade"}
          </Button>
        ) : (
          <ChoosePlanLink base={base} plan={plan} isMain={!smaller} />
        )}
        <p className="hint">
          {paymentsEnabled || smaller || plan === current ? hintOf(plan, current, smaller) : notSetUp}
        </p>
      </div>
    </li>
  );
}

/** Passes on where the choice of a plan comes back to. */
function ChoosePlanLink({ base, plan, isMain }: { base: PortalBase; plan: PlanType; isMain: boolean }) {
  const next = detourNext(useLocation().search, base);
  return (
    <LinkButton
      to={withNext(portalHref(base, `/billing/subscription/plans/${plan}`), next)}
      variant={isMain ? "primary" : "secondary"}
    >
      Upgrade
      <span className="sr-only"> to {plans[plan].label}</span>
    </LinkButton>
  );
}

const notSetUp = "No payment provider is connected yet";

function hintOf(plan: PlanType, current: PlanType | undefined, smaller: boolean): string {
  if (plan === current) return "Your current plan";
  if (smaller) return "Starts with your next billing period";
  return current ? "Starts right away, prorated for the days left" : "Starts right away, billed monthly";
}
