import { z } from "zod";
import { requiredText } from "../../text.ts";

/** `POST /api/billing/payment-methods`: what the provider gave for a way to pay. Never a number of a card. */
export const paymentMethodSchema = z.object({
  token: requiredText({ max: 300, message: "Send the payment provider's token" }).refine(
    (text) => !/^[\d\s-]{12,}$/.test(text),
    "This looks like a card number. Send the payment provider's token instead",
  ),
});
