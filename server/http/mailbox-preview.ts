import { pipeline } from "node:stream/promises";
import type { RequestHandler, Response } from "express";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { findMail } from "#app/domain/notifications/list-mails.server.ts";
import type { Env } from "#app/env.server.ts";
import { isDevMailboxEnabled } from "#app/mail/dev-mailbox.ts";
import type { OutgoingMail } from "#app/mail/mail-transport.server.ts";
import { discardAttachment, previewMail } from "#app/mail/preview-mail.server.ts";
import { contentSecurityPolicy } from "#app/web/csp.server.ts";
import { report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { sendPlainResponse } from "./plain-response.ts";

/** Mails have inline styles, so they are isolated: no scripts, and framed only by the mailbox. */
const policyOfMail =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves the mails of `/dev/mailbox` as they look, which only that page may frame, and their attachments. */
export function mailbox(env: Env): RequestHandler[] {
  const page: RequestHandler = (_request, response, next) => {
    const policy = contentSecurityPolicy({ nonce: String(response.locals.nonce), env });
    response.set("Content-Security-Policy", `${policy}; frame-src 'self'`);
    next();
  };
  const part: RequestHandler = async (request, response, next) => {
    const [, requested, name] = /^\/([^/]+)\/(mail\.html|attachment)$/.exec(request.path) ?? [];
    const id = parseId<MailId>(requested);
    if (!id) return next();
    try {
      const ctx = { db: database(), clock: () => new Date(), entrypoint: "screen", report } as const;
      const mail = isDevMailboxEnabled(env) ? await findMail(ctx, id) : undefined;
      const shown = mail && (await previewMail(ctx, mail));
      if (name === "attachment" && shown?.attachment) return await sendAttachment(response, shown.attachment);
      if (shown) discardAttachment(shown);
      if (!shown || name === "attachment")
        return sendPlainResponse(request, response, { status: 404, code: "not_found", message: "Not found" });
      response.set("Content-Security-Policy", policyOfMail).set("X-Frame-Options", "SAMEORIGIN");
      response.type("html").send(shown.html);
    } catch (error) {
      next(error);
    }
  };
  return [page, part];
}

async function sendAttachment(response: Response, { name, type, content }: NonNullable<OutgoingMail["attachment"]>) {
  response.set("Content-Disposition", `attachment; filename="${name}"`).type(type);
  if (Buffer.isBuffer(content)) response.send(content);
  else await pipeline(content, response);
}
