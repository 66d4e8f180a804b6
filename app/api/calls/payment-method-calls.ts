import { z } from "zod";
import { addPaymentMethod } from "#app/domain/billing/payments/add-payment-method.server.ts";
import { chooseDefaultMethod } from "#app/domain/billing/payments/choose-default-method.server.ts";
import {
  getPaymentMethod,
  listUsableMethods,
  type PaymentMethod,
} from "#app/domain/billing/payments/list-payment-methods.server.ts";
import { paymentMethodTypes } from "#app/domain/billing/payments/payment-method.ts";
import { paymentMethodSchema } from "#app/domain/billing/payments/payment-method-payloads.ts";
import { removePaymentMethod } from "#app/domain/billing/payments/remove-payment-method.server.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { tenantCall } from "../call.server.ts";
import { requireId } from "../path-id.ts";
import { done, doneShape, pageAnswer, pageQuery, wire } from "../wire.ts";

const methodSchema = z.object({
  id: wire.id,
  brand: z.string(),
  last_four: z.string(),
  type: z.enum(paymentMethodTypes),
  expires: z.string().describe("YYYY-MM: good until that month is over"),
  is_default: z.boolean(),
  created_at: wire.time,
});

function methodJson({ id, brand, lastFour, type, expiresYear, expiresMonth, isDefault, createdAt }: PaymentMethod) {
  const expires = `${expiresYear}-${String(expiresMonth).padStart(2, "0")}`;
  return {
    id,
    brand,
    last_four: lastFour,
    type,
    expires,
    is_default: isDefault,
    created_at: createdAt.toISOString(),
  };
}

const idOf = (text: string | undefined) => requireId<PaymentMethodId>("Payment method", text);

/** Calls about ways to pay: a person's, never a key's. */
export const paymentMethodCalls = {
  "GET /api/billing/payment-methods": tenantCall({
    summary:
      "The account's ways to pay, the default first. What was added with a provider that takes no money here any more is not among them",
    query: z.object(pageQuery),
    answer: z.object({ payment_methods: z.array(methodSchema), ...pageAnswer }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listUsableMethods(ctx), query, ({ id }) => id);
      return { payment_methods: page.rows.map(methodJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/billing/payment-methods": tenantCall({
    summary:
      "Add a way to pay by the payment provider's token. Stripe's: the id of a finished visit to its page, cs_…. The sandbox's: tok_visa, tok_mastercard, tok_confirmation, tok_declined, tok_insufficient_funds, tok_expired",
    body: paymentMethodSchema,
    answer: z.object({ payment_method: methodSchema }),
    status: 201,
    keys: false,
    run: async ({ ctx, body }) => {
      const { id } = await addPaymentMethod(ctx, body);
      return { payment_method: methodJson(await getPaymentMethod(ctx, id)) };
    },
  }),
  "DELETE /api/billing/payment-methods/{id}": tenantCall({
    summary: "Remove a way to pay; the newest other one becomes the default where it was",
    answer: z.object(doneShape),
    keys: false,
    run: async ({ ctx, params }) => {
      await removePaymentMethod(ctx, { id: idOf(params.id) });
      return done;
    },
  }),
  "POST /api/billing/payment-methods/{id}/default": tenantCall({
    summary: "Make a way to pay the default",
    answer: z.object({ payment_method: methodSchema }),
    keys: false,
    run: async ({ ctx, params }) => {
      const id = idOf(params.id);
      await chooseDefaultMethod(ctx, { id });
      return { payment_method: methodJson(await getPaymentMethod(ctx, id)) };
    },
  }),
};
