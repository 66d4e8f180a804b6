import { z } from "zod";
import { dollarsSchema } from "../../money.ts";
import { planTypes } from "../plan.ts";
import { planFundings } from "./plan-funding.ts";

/** `PATCH /api/billing/subscription`, and the form on the tab. */
export const planFundingSchema = z.object({
  pay_from: z.enum(planFundings, "Choose payment_method or earnings"),
});

/** `POST /api/billing/subscription`, and the form: with `amount` (US dollars) only if it costs that at once. */
export const planChoiceSchema = z.object({
  plan_type: z.enum(planTypes, "Choose starter, professional or enterprise"),
  amount: dollarsSchema().optional(),
});
