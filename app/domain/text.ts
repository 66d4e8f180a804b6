import { z } from "zod";
import { fieldRules } from "./field-rules.ts";

type TextRules = {
  /** In code points: what a person counts as characters, an emoji as one. */
  max: number;
  /** Newlines and tabs are kept; without it they are refused like the other control characters. */
  multiline?: boolean;
};

/** A text that must be there: `message` answers a missing, null, empty or blank one. Form and JSON alike. */
export function requiredText({ message, ...rules }: TextRules & { message: string }) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? message : notText) })
    .transform((text, ctx): string => readText(text, rules, ctx) ?? refuse(ctx, message))
    .register(fieldRules, { maxLength: longest(rules), patterns: [[/\S/, message]] });
}

/** A text that may be left out: absent, null, empty and blank are all null. For creation. */
export function optionalText(rules: TextRules) {
  return z
    .string(notText)
    .nullable()
    .default(null)
    .transform((text, ctx): string | null => (text === null ? null : readText(text, rules, ctx)))
    .register(fieldRules, { maxLength: longest(rules) });
}

/**
 * A text in a change: absent leaves it as it is (undefined), null, empty and blank clear it (null).
 * A form's empty field counts as absent for conform, so a form that owns the field uses `optionalText`.
 */
export function changedText(rules: TextRules) {
  return z
    .string(notText)
    .nullable()
    .optional()
    .transform((text, ctx): string | null | undefined => (typeof text === "string" ? readText(text, rules, ctx) : text))
    .optional()
    .register(fieldRules, { maxLength: longest(rules) });
}

const notText = "Enter text";

function longest({ max }: TextRules): [number, string] {
  return [max, `Use at most ${max.toLocaleString("en-US")} characters`];
}

/** NFC and trimmed; null when nothing is left. Adds an issue for what PostgreSQL or a page could not carry. */
function readText(text: string, rules: TextRules, ctx: z.RefinementCtx): string | null {
  const { multiline = false } = rules;
  if (/\p{Surrogate}/u.test(text)) return refuse(ctx, "Remove the characters that cannot be read");
  const clean = (multiline ? text.replace(/\r\n?/g, "\n") : text).normalize("NFC").trim();
  if (hasControls(clean, multiline)) return refuse(ctx, "Remove the control characters");
  const length = countCodePoints(clean);
  const [max, tooLong] = longest(rules);
  if (length > max) return refuse(ctx, tooLong);
  return length === 0 ? null : clean;
}

/** C0 controls (NUL among them) and DEL. */
function hasControls(text: string, multiline: boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === 0x7f || (unit < 0x20 && !(multiline && (unit === 0x0a || unit === 0x09)))) return true;
  }
  return false;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function refuse(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
}
