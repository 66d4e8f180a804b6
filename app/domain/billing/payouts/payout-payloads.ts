import { z } from "zod";
import { dollarsSchema } from "../../money.ts";

/**
 * A payout is always of the whole available balance; `amount` is the balance that the user saw, so that no other amount
 * is paid out.
 */
export const payoutRequestSchema = z.object({ amount: dollarsSchema().optional() });

export const payoutAccountSchema = z.object({
  token: z.string("Choose an account").min(1, "Choose an account").max(200, "No bank account matches this token"),
});
