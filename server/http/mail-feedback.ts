import type { RequestHandler } from "express";
import { z } from "zod";
import { DomainError } from "#app/domain/errors.ts";
import { mailFeedbackKinds, statusPattern } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import type { Env } from "#app/env.server.ts";
import { type ParsedFeedback, parseMailFeedback } from "#app/mail/parse-mail-feedback.server.ts";
import { findReturnPath } from "#app/mail/return-path.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import type { Metrics } from "#server/observability/recorder.ts";
import { acceptsBearer } from "./bearer-token.ts";
import { type PlainResponse, sendPlainResponse } from "./plain-response.ts";
import { readBody } from "./read-body.ts";

export const mailFeedbackPath = "/api/mail-feedback";

const jsonSchema = z.object({
  return_path: z.string().max(320),
  kind: z.enum(mailFeedbackKinds),
  status: z.string().regex(statusPattern).nullable().default(null),
});

/**
 * Handles reports of mail servers about mails that were sent: a message (RFC 3464, RFC 5965) or JSON. 200: received,
 * with its effect; 400: no report; 401: wrong secret; 404: about no mail of this product; 415: another type. Passes the
 * request on if no secret is configured.
 */
export function handleMailFeedback(
  { mailFeedbackSecret }: Pick<Env, "mailFeedbackSecret">,
  metrics?: Metrics,
): RequestHandler {
  const isAccepted = mailFeedbackSecret === undefined ? undefined : acceptsBearer(mailFeedbackSecret);
  return async (request, response, next) => {
    if (!isAccepted || request.method !== "POST") return next();
    const reject = (problem: PlainResponse) => sendPlainResponse(request, response, problem);
    if (!isAccepted(request.get("Authorization"))) return reject(unauthorized);
    const requestId = String(response.locals.requestId);
    try {
      const body = await readBody(request);
      if (response.headersSent) return;
      const found = await readFeedback(body, request.get("Content-Type") ?? "");
      if ("problem" in found) return reject(found.problem);
      const { mailId, kind, status } = found.feedback;
      if (!mailId) return reject(unknownMail);
      if (!kind) return void response.json({ received: true, effect: "none" });
      const actor = { kind: "job", name: "Mail feedback" } as const;
      const db = database({ requestId });
      const ctx = { db, clock: () => new Date(), actor, entrypoint: "api", requestId, report } as const;
      const { effect } = await receiveMailFeedback(ctx, { mailId, kind, status });
      if (effect !== "known") metrics?.mailFeedback(kind);
      log.info("mail feedback received", { requestId, mailId, code: kind });
      if (!response.headersSent) response.json({ received: true, effect });
    } catch (error) {
      if (response.headersSent) return log.error("mail feedback failed", { requestId, error });
      if (error instanceof DomainError && error.code === "not_found") return reject(unknownMail);
      next(error);
    }
  };
}

const unauthorized: PlainResponse = {
  status: 401,
  code: "unauthenticated",
  message: "Send MAIL_FEEDBACK_SECRET as a bearer token",
  headers: { "WWW-Authenticate": 'Bearer realm="mail feedback"' },
};
const unknownMail: PlainResponse = {
  status: 404,
  code: "not_found",
  message: "The report is about no email of this product, or one that was deleted",
};

async function readFeedback(
  body: Buffer,
  contentType: string,
): Promise<{ feedback: ParsedFeedback } | { problem: PlainResponse }> {
  const [type = ""] = contentType.toLowerCase().split(";");
  switch (type.trim()) {
    case "application/json":
      return parseJson(body);
    case "message/rfc822":
    case "message/global":
      return toFeedback(await parseMailFeedback(body));
    // The body of a message without its header, which has the boundary of its parts.
    case "multipart/report":
      return toFeedback(
        await parseMailFeedback(Buffer.concat([Buffer.from(`Content-Type: ${contentType}\r\n\r\n`), body])),
      );
    default: {
      const message = "Send the message as message/rfc822, or a report as application/json";
      return { problem: { status: 415, code: "unsupported_media_type", message } };
    }
  }
}

function toFeedback(feedback: ParsedFeedback | undefined): { feedback: ParsedFeedback } | { problem: PlainResponse } {
  const message = "The message is no delivery report (RFC 3464) and no complaint (RFC 5965)";
  return feedback ? { feedback } : { problem: { status: 400, code: "malformed", message } };
}

function parseJson(body: Buffer): { feedback: ParsedFeedback } | { problem: PlainResponse } {
  const message = `Send {"return_path", "kind": ${mailFeedbackKinds.map((kind) => `"${kind}"`).join(" | ")}, "status"?: "5.1.1"}`;
  const problem = { status: 400, code: "malformed", message };
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return { problem };
  }
  const read = jsonSchema.safeParse(value);
  if (!read.success) return { problem };
  const { return_path: path, kind, status } = read.data;
  return { feedback: { mailId: findReturnPath(path), kind, status } };
}
