import { z } from "zod";

/** The closed month that an amount adjusts, in responses. */
export const adjustedMonthSchema = z
  .string()
  .nullable()
  .describe("The closed month (YYYY-MM) whose spend a late report changed; null for regular amounts");
