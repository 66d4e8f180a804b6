import { z } from "zod";
import { requiredText } from "#app/domain/text.ts";

/** The body of `POST /api/billing/payment-methods`: the provider's token, never a card number. */
export const paymentMethodSchema = z.object({
  token: requiredText({ max: 300, message: "Send the payment provider's token" }).refine(
    (text) => !/^[\d\s-]{12,}$/.test(text),
    "This looks like a card number. Send the payment provider's token instead",
  ),
});
