import { z } from "zod";
import { readPaymentMethod, savePaymentMethod } from "#app/domain/billing/payment-methods/add-payment-method.server.ts";
import {
  getPaymentMethod,
  listUsableMethods,
  type PaymentMethod,
} from "#app/domain/billing/payment-methods/list-payment-methods.server.ts";
import { paymentMethodTypes } from "#app/domain/billing/payment-methods/payment-method.ts";
import { paymentMethodSchema } from "#app/domain/billing/payment-methods/payment-method-payloads.ts";
import { removePaymentMethod } from "#app/domain/billing/payment-methods/remove-payment-method.server.ts";
import { setDefaultPaymentMethod } from "#app/domain/billing/payment-methods/set-default-payment-method.server.ts";
import type { PaymentMethodId } from "#app/domain/ids.ts";
import { pageOfFew } from "#app/domain/page.ts";
import { tenantEndpoint } from "../endpoint.server.ts";
import { requireId } from "../require-id.ts";
import { pageQuery, pageResponse, successBody, successShape, wire } from "../wire.ts";

const methodSchema = z.object({
  id: wire.id,
  brand: z.string(),
  last_four: z.string(),
  type: z.enum(paymentMethodTypes),
  expires: z.string().describe("Expiry month, YYYY-MM; valid through the end of that month"),
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

/** Payment method endpoints. They require a signed-in person; API keys are rejected. */
export const paymentMethodEndpoints = {
  "GET /api/billing/payment-methods": tenantEndpoint({
    summary:
      "List the account's payment methods, default first. Methods of a previous payment provider are not included",
    query: z.object(pageQuery),
    response: z.object({ payment_methods: z.array(methodSchema), ...pageResponse }),
    run: async ({ ctx, query }) => {
      const page = pageOfFew(await listUsableMethods(ctx), query, ({ id }) => id);
      return { payment_methods: page.rows.map(methodJson), next_cursor: page.nextCursor };
    },
  }),
  "POST /api/billing/payment-methods": tenantEndpoint({
    summary:
      "Add a payment method with the payment provider's token. Stripe: the ID of a completed Checkout session (cs_…). Sandbox: tok_visa, tok_mastercard, tok_confirmation, tok_declined, tok_insufficient_funds, tok_expired",
    body: paymentMethodSchema,
    response: z.object({ payment_method: methodSchema }),
    status: 201,
    allowsApiKeys: false,
    errors: ["invalid_transition", "limit_reached"],
    prepare: async ({ ctx, body }) => {
      const read = await readPaymentMethod(ctx, body);
      return async (inside) => {
        const { id } = await savePaymentMethod(inside, read);
        return { payment_method: methodJson(await getPaymentMethod(inside, id)) };
      };
    },
  }),
  "DELETE /api/billing/payment-methods/{id}": tenantEndpoint({
    summary: "Remove a payment method. If it was the default, the newest remaining one becomes the default",
    response: z.object(successShape),
    allowsApiKeys: false,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      await removePaymentMethod(ctx, { id: idOf(params.id) });
      return successBody;
    },
  }),
  "POST /api/billing/payment-methods/{id}/default": tenantEndpoint({
    summary: "Set the default payment method",
    response: z.object({ payment_method: methodSchema }),
    allowsApiKeys: false,
    errors: ["invalid_transition"],
    run: async ({ ctx, params }) => {
      const id = idOf(params.id);
      await setDefaultPaymentMethod(ctx, { id });
      return { payment_method: methodJson(await getPaymentMethod(ctx, id)) };
    },
  }),
};
