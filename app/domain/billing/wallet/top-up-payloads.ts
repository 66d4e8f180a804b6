import { z } from "zod";
import { fieldRules } from "../../field-rules.ts";
import { idSchema, type PaymentMethodId } from "../../ids.ts";
import { dollarsOf, dollarsPattern, formatCentsShort, parseDollars } from "../../money.ts";
import { topUpLimits } from "./top-up.ts";

const { least, most } = topUpLimits;
const range = `Enter an amount from ${formatCentsShort(least)} to ${formatCentsShort(most)}`;
const notDollars = `${range}, with at most two decimals`;

/** `POST /api/billing/top-ups`, and the form. Dollars with at most two decimals, read once to cents. */
export const topUpSchema = z.object({
  amount: z
    .union([z.string(), z.number()], range)
    .transform((value, ctx) => {
      const amount = parseDollars(value);
      if (amount !== undefined && amount >= least && amount <= most) return amount;
      ctx.addIssue(amount === undefined ? notDollars : range);
      return z.NEVER;
    })
    .register(fieldRules, {
      patterns: [[dollarsPattern, notDollars]],
      min: [dollarsOf(least), range],
      max: [dollarsOf(most), range],
    }),
  payment_method_id: idSchema<PaymentMethodId>(),
});
