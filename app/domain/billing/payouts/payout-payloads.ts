import { z } from "zod";
import { dollarsSchema } from "../../money.ts";

/** A payout is of all that is available; `amount` is what was seen, so that no other is paid out. */
export const payoutRequestSchema = z.object({ amount: dollarsSchema().optional() });

export const payoutAccountSchema = z.object({
  token: z.string("Choose an account").min(1, "Choose an account").max(200),
});
