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

/** 7,000 from `70` or `"70"`; at most two decimals. Marked pure, so that pages with a rate do not bundle zod. */
export const commissionRateSchema = /* @__PURE__ */ z
  .union([z.string(), z.number()], "Enter a percentage between 0 and 80")
  .transform((value, ctx) => {
    const text = String(value).trim();
    if (!/^\d{1,3}(\.\d{1,2})?$/.test(text) || Math.round(Number(text) * 100) > maxCommissionBps) {
      ctx.addIssue({ code: "custom", message: "Enter a percentage between 0 and 80" });
      return z.NEVER;
    }
    return Math.round(Number(text) * 100);
  })
  .register(fieldRules, {
    patterns: [[/^\s*\d{1,3}(?:\.\d{1,2})?\s*$/, "Enter a percentage between 0 and 80"]],
    max: [bpsToPercent(maxCommissionBps), "Enter a percentage between 0 and 80"],
  });
