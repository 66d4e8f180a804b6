import { z } from "zod";
import { dollarsSchema } from "../../money.ts";
import { planTypes } from "../plan.ts";
import { planFundings } from "./plan-funding.ts";

/** The body of `PATCH /api/billing/subscription`, and the form on the tab. */
export const planFundingSchema = z.object({
  pay_from: z.enum(planFundings, "Choose payment_method or earnings"),
});

/**
 * The body of `POST /api/billing/subscription`, and the form. `amount` (US dollars) is the price that the user saw; the
 * change is rejected if it differs.
 */
export const planChoiceSchema = z.object({
  plan_type: z.enum(planTypes, "Choose starter, professional or enterprise"),
  amount: dollarsSchema().optional(),
});
