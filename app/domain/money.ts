import { z } from "zod";
import { fieldRules } from "./field-rules.ts";

/** US dollars in integer cents. Dollars exist only at the edge: on the wire and on screens. */
declare const cents: unique symbol;
export type Cents = number & { readonly [cents]: true };

/** The largest amount the product takes: one billion dollars, far inside the integers a double holds exactly. */
const maxCents = 100_000_000_000;

/** Trusts an integer number of cents that the database or arithmetic on cents gave. */
export function toCents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError("cents must be an integer");
  return value as Cents;
}

/** `12.5` (dollars, on the wire) from 1,250. */
export function dollarsOf(value: Cents): number {
  return value / 100;
}

/** Micros (1e-6 USD) to whole cents, rounded down: the part of a cent not yet full is not money yet. */
export function centsOfMicros(micros: bigint): Cents {
  return toCents(Number(micros / 10_000n));
}

/** The part of `amount` that `bps` basis points make, rounded down. */
export function shareOf(amount: Cents, bps: number): Cents {
  return toCents(Number((BigInt(amount) * BigInt(bps)) / 10_000n));
}

/**
 * Reads an amount of US dollars, once, from its text: `1200`, `1,200.50`, `$ 12`. At most two decimals.
 * Never through a float: `1e400` and `2^53+1` are refused, not changed. Undefined when it cannot be read.
 */
export function parseDollars(value: string | number): Cents | undefined {
  const text = String(value)
    .trim()
    .replace(/^\$\s*/, "");
  const match = /^(-?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  const whole = Number((match[2] ?? "").replaceAll(",", ""));
  const amount = whole * 100 + Number((match[3] ?? "").padEnd(2, "0"));
  if (amount > maxCents) return undefined;
  return toCents(match[1] === "-" ? -amount || 0 : amount);
}

/**
 * Reads US dollars with up to six decimals, as number or text, to micros (1e-6 USD): what is metered has smaller parts than
 * a cent. Undefined when it cannot be read; exact up to nine billion dollars, and beyond that at least as large.
 */
export function parseMicros(value: unknown): number | undefined {
  if (typeof value === "number") {
    const micros = Math.round(value * 1e6);
    // The nearest double to the decimal that was meant, or there were more decimals.
    return micros / 1e6 === value || Math.abs(value) > 1e10 ? micros : undefined;
  }
  if (typeof value !== "string") return undefined;
  const match = /^\s*(-?)(\d{1,12})(?:\.(\d{1,6}))?\s*$/.exec(value);
  if (!match) return undefined;
  const micros = Number(match[2]) * 1e6 + Number((match[3] ?? "").padEnd(6, "0"));
  return match[1] === "-" ? -micros : micros;
}

/** What `parseDollars` reads, but for the largest amounts. */
export const dollarsPattern = /^\s*(?:\$\s*)?-?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d{1,2})?\s*$/;

/** An amount of dollars in a payload, as number or text, to cents; 0 or more. */
export function dollarsSchema(message = "Enter an amount in US dollars, such as 1200 or 1200.50") {
  const negative = "Enter 0 or more";
  return z
    .union([z.string(), z.number()], message)
    .transform((value, ctx): Cents => {
      const read = parseDollars(value);
      if (read === undefined) {
        ctx.addIssue({ code: "custom", message });
        return z.NEVER;
      }
      if (read < 0) {
        ctx.addIssue({ code: "custom", message: negative });
        return z.NEVER;
      }
      return read;
    })
    .register(fieldRules, { patterns: [[dollarsPattern, message]], min: [0, negative] });
}

const usd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
const wholeUsd = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD", maximumFractionDigits: 0 });

/** `$1,200.50`, en-US. */
export function formatCents(value: Cents): string {
  return usd.format(value / 100);
}

/** `$1,200` when there are no cents, else `$1,200.50`. */
export function formatCentsShort(value: Cents): string {
  return value % 100 === 0 ? wholeUsd.format(value / 100) : usd.format(value / 100);
}
