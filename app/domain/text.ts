import { z } from "zod";
import { fieldRules } from "./field-rules.ts";
import { removeInvisible, visiblePattern } from "./visible-text.ts";

type TextRules = {
  /** In code points: an emoji counts as one character. */
  max: number;
  /** Allows newlines and tabs; otherwise they are rejected like other control characters. */
  multiline?: boolean;
};

/**
 * A required text: `message` is the error for a missing, null, empty or blank one, or one that shows nothing. For forms
 * and JSON.
 */
export function requiredText({ message, ...rules }: TextRules & { message: string }) {
  return z
    .string({ error: (issue) => (issue.input === undefined || issue.input === null ? message : notText) })
    .transform((text, ctx): string => readText(text, rules, ctx) ?? addTextIssue(ctx, message))
    .register(fieldRules, { maxLength: longest(rules), patterns: [[visiblePattern, message]] });
}

/** An optional text for creation: absent, null, empty and blank all become null. */
export function optionalText(rules: TextRules) {
  return z
    .string(notText)
    .nullable()
    .default(null)
    .transform((text, ctx): string | null => (text === null ? null : readText(text, rules, ctx)))
    .register(fieldRules, { maxLength: longest(rules) });
}

/**
 * A text in a change: absent leaves the value unchanged (undefined); null, empty and blank clear it (null). conform
 * treats an empty form field as absent, so forms that contain the field use `optionalText`.
 */
export function patchText(rules: TextRules) {
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

/**
 * Normalizes (NFC) and trims a text, without invisible characters; null when nothing that one sees remains. Adds an
 * issue for characters that PostgreSQL or a page cannot represent.
 */
function readText(text: string, rules: TextRules, ctx: z.RefinementCtx): string | null {
  const { multiline = false } = rules;
  if (/\p{Surrogate}/u.test(text)) return addTextIssue(ctx, "Remove the unreadable characters");
  const lines = multiline ? text.replace(/\r\n?/g, "\n") : text;
  const clean = removeInvisible(lines).normalize("NFC").trim();
  if (hasControls(clean, multiline)) return addTextIssue(ctx, "Remove invisible control characters");
  const length = countCodePoints(clean);
  const [max, tooLong] = longest(rules);
  if (length > max) return addTextIssue(ctx, tooLong);
  return visiblePattern.test(clean) ? clean : null;
}

/** Returns whether the text has C0 controls (including NUL) or DEL. */
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

function addTextIssue(ctx: z.RefinementCtx, message: string): never {
  ctx.addIssue({ code: "custom", message });
  return z.NEVER;
}
