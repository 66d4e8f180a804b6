import { z } from "zod";
import { fieldRules } from "./field-rules.ts";
import { removeInvisible } from "./visible-text.ts";

/** US dollars in integer cents. Amounts in dollars are used only in the JSON API and on screens. */
declare const cents: unique symbol;
export type Cents = number & { readonly [cents]: true };

/**
 * The largest supported amount: one billion dollars, far below the largest integer that a double represents exactly.
 */
const maxCents = 100_000_000_000;

/** Brands an integer number of cents from the database or from arithmetic on cents. */
export function asCents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError("cents must be an integer");
  return value as Cents;
}

/** `12.5` (dollars in the JSON API) from 1,250. */
export function centsToDollars(value: Cents): number {
  return value / 100;
}

/** Converts micros (1e-6 USD) to whole cents, rounded down: incomplete cents do not count. */
export function microsToCents(micros: bigint): Cents {
  return asCents(Number(micros / 10_000n));
}

/** Returns `bps` basis points of `amount`, rounded down. */
export function shareOf(amount: Cents, bps: number): Cents {
  return asCents(Number((BigInt(amount) * BigInt(bps)) / 10_000n));
}

/**
 * Parses an amount of US dollars from its text: `1200`, `1,200.50`, `$ 12`, `.50`, with at most two decimals. Floating
 * point is not used: `1e400` and `2^53+1` are rejected, not rounded. Returns undefined when the text is not an amount.
 */
export function parseDollars(value: string | number): Cents | undefined {
  const text = removeInvisible(String(value))
    .trim()
    .replace(/^\$\s*/, "");
  const match = /^(-?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3}|(?=\.))(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  const whole = Number((match[2] ?? "").replaceAll(",", ""));
  const amount = whole * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  if (amount > maxCents) return undefined;
  return asCents(match[1] === "-" ? -amount || 0 : amount);
}

/**
 * Parses US dollars with up to six decimals, as number or text, to micros (1e-6 USD), because metered amounts are
 * smaller than a cent. Returns undefined when the value is not an amount. Exact up to nine billion dollars; larger
 * amounts are never rounded below nine billion.
 */
export function parseMicros(value: unknown): number | undefined {
  if (typeof value === "number") {
    const micros = Math.round(value * 1e6);
    // The value is the nearest double to the micros; otherwise it had more decimals.
    return micros / 1e6 === value || Math.abs(value) > 1e10 ? micros : undefined;
  }
  if (typeof value !== "string") return undefined;
  const match = /^\s*(-?)(\d{1,12}|(?=\.))(?:\.(\d{1,6}))?\s*$/.exec(value);
  if (!match) return undefined;
  const micros = Number(match[2]) * 1e6 + Number((match[3] ?? "").padEnd(6, "0"));
  return match[1] === "-" ? -micros : micros;
}

/** Matches what `parseDollars` accepts, except for the largest amounts. */
export const dollarsPattern = /^\s*(?:\$\s*)?-?(?:\d+|\d{1,3}(?:,\d{3})+|(?=\.))(?:\.\d{1,2})?\s*$/;

/** The same with any number of decimals. */
const longAmountPattern = /^\s*(?:\$\s*)?-?(?:\d+|\d{1,3}(?:,\d{3})+|(?=\.))(?:\.\d+)?\s*$/;
const tooManyDecimalsMessage = "Enter an amount with at most two decimals, such as 12.50";

/**
 * The schema of a dollar amount in a payload, as number or text, converted to cents; 0 or more. `tooHigh` is the
 * message for an amount above the largest supported one.
 */
export function dollarsSchema(
  message = "Enter an amount in US dollars, such as 1200 or 1200.50",
  tooHigh = maxDollarsMessage,
) {
  const negative = "Enter 0 or more";
  const describeRejected = (text: string) => {
    if (!longAmountPattern.test(text)) return message;
    if (!dollarsPattern.test(text)) return tooManyDecimalsMessage;
    return /^[\s$]*-/.test(text) ? negative : tooHigh;
  };
  return z
    .union([z.string(), z.number()], message)
    .transform((value, ctx): Cents => {
      const read = parseDollars(value);
      if (read === undefined) {
        ctx.addIssue({ code: "custom", message: describeRejected(removeInvisible(String(value))) });
        return z.NEVER;
      }
      if (read < 0) {
        ctx.addIssue({ code: "custom", message: negative });
        return z.NEVER;
      }
      return read;
    })
    .register(fieldRules, {
      patterns: [
        [longAmountPattern, message],
        [dollarsPattern, tooManyDecimalsMessage],
      ],
      min: [0, negative],
      max: [maxDollars, tooHigh],
    });
}

const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeUsd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** The largest supported amount in dollars, and the message for a larger one. */
export const maxDollars = maxCents / 100;
export const maxDollarsMessage = `Enter ${formatCentsShort(asCents(maxCents))} or less`;

/** `$1,200.50`, en-US, and `−$12.50` with a minus sign, not a hyphen, which is short and lets a line break after it. */
export function formatCents(value: Cents): string {
  return withMinusSign(usd.format(value / 100));
}

/** `+$12.50` and `−$12.50`: the change of a balance. */
export function formatSignedCents(value: Cents): string {
  return `${value > 0 ? "+" : ""}${formatCents(value)}`;
}

/** `$1,200` for whole dollars, otherwise `$1,200.50`. */
export function formatCentsShort(value: Cents): string {
  return value % 100 === 0 ? withMinusSign(wholeUsd.format(value / 100)) : formatCents(value);
}

function withMinusSign(amount: string): string {
  return amount.replace("-", "−");
}
