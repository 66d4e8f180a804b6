import type { RequestHandler } from "express";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { findMail } from "#app/domain/notifications/list-mails.server.ts";
import type { Env } from "#app/env.server.ts";
import { isDevMailboxEnabled } from "#app/mail/dev-mailbox.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { contentSecurityPolicy } from "#app/web/csp.server.ts";
import { report } from "#app/web/log.server.ts";
import { database } from "#db/client.server.ts";
import { sendPlainResponse } from "./plain-response.ts";

/** Mails have inline styles, so they are isolated: no scripts, and framed only by the mailbox. */
const policyOfMail =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox";

/** Serves the mails of `/dev/mailbox` as they look; only that page may frame them. */
export function mailbox(env: Env): RequestHandler[] {
  const page: RequestHandler = (_request, response, next) => {
    const policy = contentSecurityPolicy({ nonce: String(response.locals.nonce), env });
    response.set("Content-Security-Policy", `${policy}; frame-src 'self'`);
    next();
  };
  const html: RequestHandler = async (request, response, next) => {
    const id = parseId<MailId>(/^\/([^/]+)\/mail\.html$/.exec(request.path)?.[1]);
    if (!id) return next();
    try {
      const ctx = { db: database(), clock: () => new Date(), entrypoint: "screen", report } as const;
      const mail = isDevMailboxEnabled(env) ? await findMail(ctx, id) : undefined;
      if (!mail) return sendPlainResponse(request, response, { status: 404, code: "not_found", message: "Not found" });
      response.set("Content-Security-Policy", policyOfMail).set("X-Frame-Options", "SAMEORIGIN");
      response.type("html").send((await renderMail(mail)).html);
    } catch (error) {
      next(error);
    }
  };
  return [page, html];
}
