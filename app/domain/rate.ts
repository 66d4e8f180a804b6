import { z } from "zod";
import { fieldRules } from "./field-rules.ts";

/** A rate in basis points: 7,000 is 70%. Always an integer. */
export type BasisPoints = number;

/** The publisher's default share of the advertiser's spend. */
export const defaultCommissionBps: BasisPoints = 7_000;
/** The maximum share: 80% of the advertiser's spend. */
export const maxCommissionBps: BasisPoints = 8_000;

/** `70` (percent in the JSON API) from 7,000. */
export function bpsToPercent(bps: BasisPoints): number {
  return bps / 100;
}

const invalidRateMessage = "Enter a percentage between 0 and 80";
const tooManyDecimalsMessage = "Enter a percentage with at most two decimals, such as 33.33";
const anyDecimals = /^\s*\d{1,3}(?:\.\d+)?\s*$/;
const twoDecimals = /^\s*\d{1,3}(?:\.\d{1,2})?\s*$/;

/** 7,000 from `70` or `"70"`; at most two decimals. Marked pure, so that pages with a rate do not bundle zod. */
export const commissionRateSchema = /* @__PURE__ */ z
  .union([z.string(), z.number()], invalidRateMessage)
  .transform((value, ctx) => {
    const text = String(value).trim();
    const message = rateMessage(text);
    if (message) {
      ctx.addIssue({ code: "custom", message });
      return z.NEVER;
    }
    return Math.round(Number(text) * 100);
  })
  .register(fieldRules, {
    patterns: [
      [anyDecimals, invalidRateMessage],
      [twoDecimals, tooManyDecimalsMessage],
    ],
    max: [bpsToPercent(maxCommissionBps), invalidRateMessage],
  });

function rateMessage(text: string): string | undefined {
  if (!anyDecimals.test(text)) return invalidRateMessage;
  if (!twoDecimals.test(text)) return tooManyDecimalsMessage;
  return Math.round(Number(text) * 100) > maxCommissionBps ? invalidRateMessage : undefined;
}
