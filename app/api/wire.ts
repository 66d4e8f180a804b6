import { z } from "zod";
import { type Cents, dollarsOf } from "#app/domain/money.ts";
import { pageLimits } from "#app/domain/page.ts";
import { changedText } from "#app/domain/text.ts";
import { env } from "#app/env.server.ts";

/** What the calls' shapes are made of. Dollars, percent and times are turned into the wire's form here. */
export const wire = {
  id: z.string(),
  dollars: z.number().describe("US dollars, at most two decimals"),
  percent: z.number().describe("Percent: 70 is 70 %"),
  time: z.iso.datetime().describe("ISO 8601, UTC"),
  date: z.iso.date().describe("YYYY-MM-DD"),
  count: z.int().nonnegative(),
};

/** What a call that changes something answers first. */
export const done = { success: true } as const;
export const doneShape = { success: z.literal(true) };

export function dollarsOrNull(amount: Cents | null): number | null {
  return amount === null ? null : dollarsOf(amount);
}

export function timeOrNull(time: Date | null): string | null {
  return time === null ? null : time.toISOString();
}

/** An address of ours as another program needs it; one that is whole already stays. */
export function absoluteUrl(path: string): string {
  return new URL(path, env().publicUrl).href;
}

export function urlOrNull(path: string | null): string | null {
  return path === null ? null : absoluteUrl(path);
}

/** Four decimals: more is noise of the division. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** The parameters of every list. */
export const pageQuery = {
  limit: z.coerce
    .number("Enter a whole number from 1 to 500")
    .int("Enter a whole number from 1 to 500")
    .min(1, "Enter a whole number from 1 to 500")
    .max(pageLimits.max, "Enter a whole number from 1 to 500")
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: pageLimits.max, default: pageLimits.default }),
  cursor: z.string().max(4_000, "Unknown page").optional().describe("`next_cursor` of the page before"),
};

/** A search in a query: blank is none. */
export const searchText = changedText({ max: 200 }).transform((text) => text ?? undefined);

/** What every list answers beside its rows. */
export const pageAnswer = { next_cursor: wire.id.nullable().describe("Null on the last page") };
