import { isOptionalMail } from "../mail-kinds.ts";
import type { NotificationEvent } from "../notification.ts";

/**
 * What mail servers report about mails that were sent. Pure. A bounce says that the address does not work, a soft
 * bounce that this mail was not delivered, a complaint that the recipient marked it as spam.
 */
export const mailFeedbackKinds = ["bounce", "soft_bounce", "complaint"] as const;
export type MailFeedbackKind = (typeof mailFeedbackKinds)[number];

/** Why emails to an address are held back, the weakest first: a stronger reason replaces a weaker one. */
export const suppressionReasons = ["complaint", "soft_bounces", "bounce"] as const;
export type SuppressionReason = (typeof suppressionReasons)[number];

/** As many days (UTC) with a soft bounce, within the period, count as a bounce. */
export const softBounceDays = 3;
export const softBouncePeriodDays = 14;

/** An enhanced status code of RFC 3463. PostgreSQL checks it with the same pattern. */
export const statusPattern = /^[245][.][0-9]{1,3}[.][0-9]{1,3}$/;

/**
 * Codes that say that the address does not work. 5.1.7 and 5.1.8 are about the sender; 5.4.1 is what Exchange Online
 * sends for an unknown recipient. Other permanent errors, such as a full mailbox or a rejected text, may pass.
 */
const brokenAddressCodes = [
  ..."5.1.0 5.1.1 5.1.2 5.1.3 5.1.4 5.1.6 5.1.10".split(" "),
  ..."5.2.1 5.4.1 5.4.4".split(" "),
];
/**
 * Replies of servers without enhanced codes: "mailbox unavailable", "user not local" and "name not allowed" (RFC 5321).
 */
const brokenAddressReplies = ["550", "551", "553"];

/**
 * Classifies a failed delivery by its status code (`5.1.1`) and, where that says nothing, by the reply of the remote
 * server (`550 5.1.1 …`). Returns the code that decided.
 */
export function classifyFailure({ status, reply }: { status: string | undefined; reply: string | undefined }): {
  kind: MailFeedbackKind;
  status: string | null;
} {
  const [, replyCode = "", enhanced] = /^\s*(\d{3})(?:[-\s]+#?([245]\.\d{1,3}\.\d{1,3})\b)?/.exec(reply ?? "") ?? [];
  const stated = status !== undefined && statusPattern.test(status) ? status : undefined;
  const code = stated && !stated.endsWith(".0.0") ? stated : (enhanced ?? stated ?? null);
  const isBroken =
    code === null || code === "5.0.0" ? brokenAddressReplies.includes(replyCode) : brokenAddressCodes.includes(code);
  return { kind: isBroken ? "bounce" : "soft_bounce", status: code };
}

/** Mails about the safety of the account reach also those who complained about another one. */
const safetyMails: readonly NotificationEvent[] = ["new_sign_in", "account_closing"];

/** Returns whether a mail is not sent to an address that is suppressed. `event` is null for a daily mail. */
export function isHeldBack(event: NotificationEvent | null, reason: SuppressionReason): boolean {
  if (event === null || isOptionalMail(event)) return true;
  // The person asked for it, to find out whether the address works.
  if (event === "email_confirmation") return false;
  return reason !== "complaint" || !safetyMails.includes(event);
}
