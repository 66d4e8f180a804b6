import { z } from "zod";

/**
 * The schemas of the values that the API's answers are made of: dollars, percentages and times in their published form.
 */
export const wireFormats = {
  id: z.string(),
  dollars: z.number().describe("US dollars, up to two decimals"),
  percent: z.number().describe("Percentage: 70 means 70%"),
  time: z.iso.datetime().describe("ISO 8601, UTC"),
  date: z.iso.date().describe("YYYY-MM-DD"),
  count: z.int().nonnegative(),
};
