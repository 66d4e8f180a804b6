import { z } from "zod";
import { type Cents, centsToDollars } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { patchText } from "#app/domain/text.ts";
import { wireFormats } from "#app/domain/wire-formats.ts";
import { env } from "#app/env.server.ts";

/** What the calls' shapes are made of. Dollars, percent and times are turned into the wire's form here. */
export const wire = wireFormats;

/** The base of every mutation's response body. */
export const successBody = { success: true } as const;
export const successShape = { success: z.literal(true) };

export function dollarsOrNull(amount: Cents | null): number | null {
  return amount === null ? null : centsToDollars(amount);
}

export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** Returns an absolute URL for a path of this site; leaves absolute URLs unchanged. */
export function absoluteUrl(path: string): string {
  return new URL(path, env().publicUrl).href;
}

export function urlOrNull(path: string | null): string | null {
  return path === null ? null : absoluteUrl(path);
}

/** Rounds to four decimals; more digits are only floating-point noise. */
export function roundRatio(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The query parameters of every list. */
export const pageQuery = {
  limit: z.coerce
    .number("Enter a whole number from 1 to 500")
    .int("Enter a whole number from 1 to 500")
    .min(1, "Enter a whole number from 1 to 500")
    .max(pageLimits.max, "Enter a whole number from 1 to 500")
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: pageLimits.max, default: pageLimits.default }),
  cursor: z
    .string()
    .max(4_000, "Invalid cursor. Start again from the first page.")
    .optional()
    .describe("`next_cursor` from the previous page"),
};

const afterMessage = "Enter a whole number, 0 or more";

/** The query parameter of the numbered line items of one object. */
export const lineItemsQuery = {
  after: z.coerce
    .number(afterMessage)
    .int(afterMessage)
    .min(0, afterMessage)
    .max(2_000_000_000, afterMessage)
    .optional()
    .meta({ type: "integer", minimum: 0, description: "`next_after` from the previous page" }),
};

/** A search parameter; a blank one is undefined. */
export const searchParamSchema = patchText({ max: 200 }).transform((text) => text ?? undefined);

/** Whether a list of campaigns has the archived ones instead of the others. */
export const archivedParamSchema = z
  .enum(["true", "false"], "Use true or false")
  .default("false")
  .transform((text) => text === "true");

/** The fields of every list response beside its rows. */
export const pageResponse = { next_cursor: wire.id.nullable().describe("Null on the last page") };
