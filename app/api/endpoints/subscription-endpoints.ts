import { z } from "zod";
import { findSubscription, type Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { planTypes, subscriptionStatuses } from "#app/domain/billing/plan.ts";
import { storeFirstResponse } from "#app/domain/billing/store-first-response.server.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { planChangeStatuses } from "#app/domain/billing/subscription/plan-change.ts";
import { planFundings } from "#app/domain/billing/subscription/plan-funding.ts";
import { planChoiceSchema, planFundingSchema } from "#app/domain/billing/subscription/plan-payloads.ts";
import { readPlanFunding, setPlanFunding } from "#app/domain/billing/subscription/set-plan-funding.server.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { centsToDollars } from "#app/domain/money.ts";
import { publisherEndpoint, tenantEndpoint } from "../endpoint.server.ts";
import { markReplayed, parseIdempotencyKey } from "../idempotency-key.ts";
import { timeOrNull, urlOrNull, wire } from "../wire.ts";

const subscriptionSchema = z
  .object({
    id: wire.id,
    plan_type: z.enum(planTypes),
    monthly_amount: wire.dollars,
    status: z.enum(subscriptionStatuses),
    created_at: wire.time,
    current_period_start: wire.time,
    current_period_end: wire.time,
    next_plan_type: z.enum(planTypes).nullable().describe("Plan that starts at the end of the billing period"),
    cancel_at_period_end: z.boolean(),
    pay_from: z.enum(planFundings).describe("Funding source charged first"),
    next_charge: z
      .object({ plan_type: z.enum(planTypes), amount: wire.dollars, at: wire.time })
      .nullable()
      .describe("Null if the plan is ending or past due"),
    past_due: z
      .object({
        since: wire.time,
        amount: wire.dollars,
        reason: z.string().nullable(),
        next_try_at: wire.time.nullable(),
      })
      .nullable()
      .describe(
        "The unpaid payment. The plan stays active until the last retry. A canceled plan is not retried, nor is one that has nothing to charge",
      ),
  })
  .nullable();

const changeSchema = z.object({
  subscription: subscriptionSchema,
  payment: z
    .object({
      amount: wire.dollars,
      status: z.enum(planChangeStatuses),
      confirmation_url: z
        .string()
        .nullable()
        .describe("URL where the customer confirms the payment, if the bank requires it"),
    })
    .nullable()
    .describe("Amount charged immediately; null if nothing was charged"),
});

/** Subscription endpoints of publishers. */
export const subscriptionEndpoints = {
  "GET /api/billing/subscription": tenantEndpoint({
    summary: "Get the publisher's subscription; null for advertisers and without a plan",
    response: z.object({ subscription: subscriptionSchema }),
    run: async ({ ctx }) => ({ subscription: subscriptionJson(await findSubscription(ctx)) }),
  }),
  "POST /api/billing/subscription": publisherEndpoint({
    summary:
      "Choose a plan. Upgrades start immediately and are prorated; downgrades start at the end of the billing period; choosing the current plan cancels a scheduled change. If `amount` is sent, it must match the immediate charge. Returns 422 on `plan_type` if the payment is declined",
    body: planChoiceSchema,
    response: changeSchema,
    allowsApiKeys: false,
    movesMoney: true,
    continuesInBackground: true,
    errors: ["invalid_transition", "limit_reached"],
    run: async ({ ctx, body, apiRequest }) => {
      const key = `api/${parseIdempotencyKey(apiRequest.head, true)}`;
      const { plan_type: planType, amount } = body;
      const returnPath = (id: string) => `/publisher/billing/subscription/payments/${id}` as const;
      const done = await changePlan(ctx, { planType, amount, key, returnPath });
      if (done.replayed) markReplayed(apiRequest);
      const { id, status, failure } = done;
      if (failure) throw invalidInput({ plan_type: [failure] }, failure);
      const payment = { amount: centsToDollars(done.amount), status, confirmation_url: urlOrNull(done.confirmUrl) };
      const response: z.input<typeof changeSchema> = {
        subscription: subscriptionJson(await findSubscription(ctx)),
        payment: done.amount > 0 ? payment : null,
      };
      const stored = { payment: { kind: "plan_change" as const, id }, response: JSON.stringify(response) };
      return changeSchema.parse(JSON.parse(await storeFirstResponse(ctx, stored)));
    },
  }),
  "PATCH /api/billing/subscription": publisherEndpoint({
    summary:
      "Set how the plan is paid. `earnings`: from available earnings if they cover the full amount, otherwise from the default payment method. `payment_method`: always from the default payment method",
    body: planFundingSchema,
    response: z.object({ pay_from: z.enum(planFundings), available_earnings: wire.dollars }),
    allowsApiKeys: false,
    errors: ["not_found", "invalid_transition"],
    run: async ({ ctx, body }) => {
      await setPlanFunding(ctx, { payFrom: body.pay_from });
      const { payFrom, available } = await readPlanFunding(ctx);
      return { pay_from: payFrom, available_earnings: centsToDollars(available) };
    },
  }),
  "DELETE /api/billing/subscription": publisherEndpoint({
    summary:
      "Cancel the plan at the end of the billing period. A plan that is past due, or whose period is over, ends immediately",
    response: z.object({ subscription: subscriptionSchema }),
    allowsApiKeys: false,
    errors: ["not_found", "invalid_transition"],
    run: async ({ ctx }) => {
      await cancelSubscription(ctx);
      return { subscription: subscriptionJson(await findSubscription(ctx)) };
    },
  }),
};

function subscriptionJson(current: Subscription | undefined): z.input<typeof subscriptionSchema> {
  if (!current) return null;
  const { id, planType, monthlyAmount, status, next, overdue } = current;
  return {
    id,
    plan_type: planType,
    monthly_amount: centsToDollars(monthlyAmount),
    status,
    created_at: current.createdAt.toISOString(),
    current_period_start: current.periodStartedAt.toISOString(),
    current_period_end: current.periodEndsAt.toISOString(),
    next_plan_type: current.nextPlanType,
    cancel_at_period_end: current.cancelAtPeriodEnd,
    pay_from: current.payFrom,
    next_charge: next && { plan_type: next.planType, amount: centsToDollars(next.amount), at: next.at.toISOString() },
    past_due: overdue && {
      since: overdue.since.toISOString(),
      amount: centsToDollars(overdue.amount),
      reason: overdue.reason,
      next_try_at: timeOrNull(overdue.nextTryAt),
    },
  };
}
