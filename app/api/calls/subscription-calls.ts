import { z } from "zod";
import { findSubscription, type Subscription } from "#app/domain/billing/find-subscription.server.ts";
import { planTypes, subscriptionStatuses } from "#app/domain/billing/plan.ts";
import { cancelSubscription } from "#app/domain/billing/subscription/cancel-subscription.server.ts";
import { changePlan } from "#app/domain/billing/subscription/change-plan.server.ts";
import { choosePlanFunding, readPlanFunding } from "#app/domain/billing/subscription/choose-plan-funding.server.ts";
import { keepPlanAnswer } from "#app/domain/billing/subscription/keep-plan-answer.server.ts";
import { planChangeStatuses } from "#app/domain/billing/subscription/plan-change.ts";
import { planFundings } from "#app/domain/billing/subscription/plan-funding.ts";
import { planChoiceSchema, planFundingSchema } from "#app/domain/billing/subscription/plan-payloads.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { dollarsOf } from "#app/domain/money.ts";
import { publisherCall, readIdempotencyKey, tenantCall } from "../call.server.ts";
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
    next_plan_type: z.enum(planTypes).nullable().describe("The smaller plan from the period's end on"),
    cancel_at_period_end: z.boolean(),
    pay_from: z.enum(planFundings).describe("What its payments are taken from first"),
    next_charge: z
      .object({ plan_type: z.enum(planTypes), amount: wire.dollars, at: wire.time })
      .nullable()
      .describe("Null where the plan ends, or is past due"),
    past_due: z
      .object({
        since: wire.time,
        amount: wire.dollars,
        reason: z.string().nullable(),
        next_try_at: wire.time.nullable(),
      })
      .nullable()
      .describe("The renewal that was not paid; the plan goes on until the last try"),
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
        .describe("Where a person confirms the payment, when the bank asks for it"),
    })
    .nullable()
    .describe("What it cost at once; null where it cost nothing"),
});

/** Calls about a publisher's plan. */
export const subscriptionCalls = {
  "GET /api/billing/subscription": tenantCall({
    summary: "The publisher's plan; null for an advertiser, and without one",
    answer: z.object({ subscription: subscriptionSchema }),
    run: async ({ ctx }) => ({ subscription: subscriptionJson(await findSubscription(ctx)) }),
  }),
  "POST /api/billing/subscription": publisherCall({
    summary:
      "Choose a plan: a larger one at once, paid for the days left; a smaller one from the period's end on; the same one takes that back. With `amount` only if it costs that at once; 422 at `plan_type` when the payment is declined",
    body: planChoiceSchema,
    answer: changeSchema,
    keys: false,
    moneyMoves: true,
    goesOn: true,
    run: async ({ ctx, body, visit }) => {
      const key = `api/${readIdempotencyKey(visit.request, true)}`;
      const { plan_type: planType, amount } = body;
      const returnPath = (id: string) => `/publisher/billing/subscription/payments/${id}` as const;
      const done = await changePlan(ctx, { planType, amount, key, returnPath });
      if (done.repeated) visit.headers.set("Idempotent-Replayed", "true");
      const { id, status, failure } = done;
      if (failure) throw invalidInput({ plan_type: [failure] }, failure);
      const payment = { amount: dollarsOf(done.amount), status, confirmation_url: urlOrNull(done.confirmUrl) };
      const answer: z.input<typeof changeSchema> = {
        subscription: subscriptionJson(await findSubscription(ctx)),
        payment: done.amount > 0 ? payment : null,
      };
      return changeSchema.parse(JSON.parse(await keepPlanAnswer(ctx, { id, answer: JSON.stringify(answer) })));
    },
  }),
  "PATCH /api/billing/subscription": publisherCall({
    summary:
      "Say what the plan is paid from: `earnings` as far as what could be paid out covers a payment whole, else and with `payment_method` the default payment method",
    body: planFundingSchema,
    answer: z.object({ pay_from: z.enum(planFundings), available_earnings: wire.dollars }),
    keys: false,
    run: async ({ ctx, body }) => {
      await choosePlanFunding(ctx, { payFrom: body.pay_from });
      const { payFrom, available } = await readPlanFunding(ctx);
      return { pay_from: payFrom, available_earnings: dollarsOf(available) };
    },
  }),
  "DELETE /api/billing/subscription": publisherCall({
    summary: "Let the plan end with the period that is paid for; one that is past due ends at once",
    answer: z.object({ subscription: subscriptionSchema }),
    keys: false,
    run: async ({ ctx }) => {
      await cancelSubscription(ctx);
      return { subscription: subscriptionJson(await findSubscription(ctx)) };
    },
  }),
};

function subscriptionJson(found: Subscription | undefined): z.input<typeof subscriptionSchema> {
  if (!found) return null;
  const { id, planType, monthlyAmount, status, next, overdue } = found;
  return {
    id,
    plan_type: planType,
    monthly_amount: dollarsOf(monthlyAmount),
    status,
    created_at: found.createdAt.toISOString(),
    current_period_start: found.periodStartedAt.toISOString(),
    current_period_end: found.periodEndsAt.toISOString(),
    next_plan_type: found.nextPlanType,
    cancel_at_period_end: found.cancelAtPeriodEnd,
    pay_from: found.payFrom,
    next_charge: next && { plan_type: next.planType, amount: dollarsOf(next.amount), at: next.at.toISOString() },
    past_due: overdue && {
      since: overdue.since.toISOString(),
      amount: dollarsOf(overdue.amount),
      reason: overdue.reason,
      next_try_at: timeOrNull(overdue.nextTryAt),
    },
  };
}
