import PostalMime, { type Email } from "postal-mime";
import type { MailId } from "#app/domain/ids.ts";
import { classifyFailure, type MailFeedbackKind } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { findReturnPath } from "./return-path.server.ts";

/**
 * A report about a mail. `mailId` is undefined without a valid return path, `kind` when the report says nothing that
 * matters: a delay, a delivery, a message that is no spam after all.
 */
export type ParsedFeedback = { mailId: MailId | undefined; kind: MailFeedbackKind | undefined; status: string | null };

const limits = { maxNestingDepth: 16, maxHeadersSize: 262_144 };
const deliveryTypes = ["message/delivery-status", "message/global-delivery-status"];
const originalTypes = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];
/** Where mail servers name the address that a message was delivered to. */
const recipientHeaders = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/**
 * Parses a message of a mail server: a delivery status notification (RFC 3464) or a complaint (ARF, RFC 5965). Returns
 * undefined for any other message.
 */
export async function parseMailFeedback(message: Uint8Array): Promise<ParsedFeedback | undefined> {
  const email = await parse(message);
  if (!email) return undefined;
  const text = (types: readonly string[]) => textOf(email, types);
  const delivery = text(deliveryTypes);
  const complaint = text(["message/feedback-report"]);
  if (delivery === undefined && complaint === undefined) return undefined;
  const received = email.headers.filter(({ key }) => recipientHeaders.includes(key)).map(({ value }) => value);
  const sent = parseFields(text(originalTypes) ?? "")[0]?.get("return-path");
  const reported = parseFields(complaint ?? "")[0]?.get("original-mail-from");
  const mailId = findReturnPath([...received, sent, reported].join("\n"));
  return { mailId, ...(complaint === undefined ? readDelivery(delivery ?? "") : readComplaint(complaint)) };
}

async function parse(message: Uint8Array): Promise<Email | undefined> {
  try {
    const options = { ...limits, forceRfc822Attachments: true, attachmentEncoding: "utf8" } as const;
    return await PostalMime.parse(message, options);
  } catch {
    // It is nested or has headers beyond the limits.
    return undefined;
  }
}

function textOf({ attachments }: Email, types: readonly string[]): string | undefined {
  const content = attachments.find(({ mimeType }) => types.includes(mimeType))?.content;
  return content === undefined ? undefined : String(content);
}

/** Our mails have one recipient each. A report of several, after a forward, counts by the first that failed. */
function readDelivery(text: string): Pick<ParsedFeedback, "kind" | "status"> {
  const failed = parseFields(text).find((fields) => fields.get("action")?.toLowerCase() === "failed");
  if (!failed) return { kind: undefined, status: null };
  const [status] = failed.get("status")?.split(/[\s(]/) ?? [];
  const reply = failed.get("diagnostic-code")?.replace(/^\s*smtp\s*;/i, "");
  return classifyFailure({ status, reply });
}

/** Others are `not-spam`, and reports of authentication and viruses, which are for operators of mail servers. */
const complaintTypes = ["abuse", "fraud", "opt-out", "other", "miscategorized"];

function readComplaint(text: string): Pick<ParsedFeedback, "kind" | "status"> {
  const type = parseFields(text)[0]?.get("feedback-type")?.toLowerCase() ?? "";
  return { kind: complaintTypes.includes(type) ? "complaint" : undefined, status: null };
}

/**
 * Parses blocks of header fields, which blank lines separate. Names are in lower case; a repeated field counts once.
 */
function parseFields(text: string): Map<string, string>[] {
  const blocks = text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/);
  return blocks.map((block) => {
    const lines = block.replace(/\n[ \t]+/g, " ").split("\n");
    const pairs = lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(":");
      return colon > 0 ? [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]] : [];
    });
    return new Map(pairs.reverse());
  });
}
