import { addPaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import type { PlanType } from "#app/domain/billing/plan.ts";
import { periodFrom } from "#app/domain/billing/subscription/billing-period.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import { newId } from "#app/domain/ids.ts";
import type { DemoPublisher } from "./demo-accounts.ts";

type DemoPlan = {
  card: "tok_visa" | "tok_mastercard";
  /** Days ago. */
  steps: readonly (readonly [daysAgo: number, plan: PlanType])[];
};

const demoPlans: Record<DemoPublisher, DemoPlan> = {
  harbor: {
    card: "tok_visa",
    steps: [
      [174.3, "professional"],
      [113.2, "enterprise"],
    ],
  },
  fern: { card: "tok_mastercard", steps: [[121.4, "enterprise"]] },
};

type Actors = {
  asPublisher: (clock: () => Date, who: DemoPublisher) => Ctx<PublisherActor>;
  asJob: (clock: () => Date) => Ctx<JobActor>;
};

/** The history of the publishers' plans: they selected them and have paid for them each month since. */
export function planSteps(now: Date, { asPublisher, asJob }: Actors) {
  return (["harbor", "fern"] as const).flatMap((who) => {
    const { card, steps } = demoPlans[who];
    const chosen = steps.map(([daysAgo, planType], index) => ({
      at: new Date(now.getTime() - daysAgo * 86_400_000),
      run: async (clock: () => Date) => {
        const ctx = asPublisher(clock, who);
        if (index === 0) await addPaymentMethod(ctx, { token: card });
        await changePlan(ctx, { planType, key: `seed/${newId()}`, returnPath: () => "/publisher/billing" });
      },
    }));
    const renewed = periodEnds(chosen[0]?.at ?? now, now).map((at) => ({
      at,
      run: (clock: () => Date) => renewDueSubscriptions(asJob(clock)),
    }));
    return [...chosen, ...renewed];
  });
}

function periodEnds(anchor: Date, until: Date): Date[] {
  const ends: Date[] = [];
  for (let { endsAt } = periodFrom(anchor, anchor); endsAt <= until; { endsAt } = periodFrom(anchor, endsAt)) {
    ends.push(endsAt);
  }
  return ends;
}
