import { z } from "zod";
import { fieldRules } from "../../field-rules.ts";
import { idSchema, type PaymentMethodId } from "../../ids.ts";
import { centsToDollars, dollarsPattern, formatCentsShort, parseDollars } from "../../money.ts";
import { topUpLimits } from "./top-up.ts";

const { min, max } = topUpLimits;
const rangeMessage = `Enter an amount from ${formatCentsShort(min)} to ${formatCentsShort(max)}`;
const formatMessage = `${rangeMessage} with up to two decimals`;

/**
 * The body of `POST /api/billing/top-ups`, and the form. Dollars with at most two decimals, converted once to cents.
 */
export const topUpSchema = z.object({
  amount: z
    .union([z.string(), z.number()], rangeMessage)
    .transform((value, ctx) => {
      const amount = parseDollars(value);
      if (amount !== undefined && amount >= min && amount <= max) return amount;
      ctx.addIssue(amount === undefined ? formatMessage : rangeMessage);
      return z.NEVER;
    })
    .register(fieldRules, {
      patterns: [[dollarsPattern, formatMessage]],
      min: [centsToDollars(min), rangeMessage],
      max: [centsToDollars(max), rangeMessage],
    }),
  payment_method_id: idSchema<PaymentMethodId>(),
});
