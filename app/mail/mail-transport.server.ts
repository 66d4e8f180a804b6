import nodemailer from "nodemailer";
import { type Env, env } from "#app/env.server.ts";

/** A mail as it goes out. The Message-ID is the same in every attempt. */
export type OutgoingMail = {
  messageId: string;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** Where mails like it end by one POST, if one can do without them. */
  unsubscribe: string | undefined;
};

/** What stands between us and a mail server. `send` is back when the server has the mail, and throws a MailError. */
export type MailTransport = { send: (mail: OutgoingMail) => Promise<void>; close: () => void };

/** Why a mail did not go out, in a sentence of ours. `isFinal`: another attempt would end the same. */
export class MailError extends Error {
  override name = "MailError";
  readonly isFinal: boolean;

  constructor(message: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(message, { cause });
    this.isFinal = isFinal;
  }
}

/** By SMTP, to the server of SMTP_URL; undefined where none is set: then mails are kept. */
export function openMailTransport(
  { smtpUrl, mailFrom }: Pick<Env, "smtpUrl" | "mailFrom"> = env(),
  /** How long a server may be silent. In milliseconds. */
  patience = 30_000,
): MailTransport | undefined {
  if (!smtpUrl) return undefined;
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: 2,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: patience,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ messageId, to, subject, html, text, unsubscribe }) {
      // RFC 8058: a mail program ends them with one click, without asking its user to sign in.
      const headers = {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribe && {
          // In one line, as some programs expect it; the address is ours.
          "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      };
      try {
        await transport.sendMail({ from: mailFrom, messageId, to, subject, html, text, headers });
      } catch (error) {
        throw errorOf(error);
      }
    },
    close: () => transport.close(),
  };
}

/** RFC 5321, section 4.2.1: 5yz is for good, 4yz for now. A wrong password is an operator's to mend, so it is tried again. */
function errorOf(cause: unknown): MailError {
  const { code, responseCode } = Object(cause);
  if (code === "EAUTH")
    return new MailError("The mail server refused the user or the password", { isFinal: false, cause });
  if (typeof responseCode === "number" && responseCode >= 500) {
    return new MailError(`The mail server refused the mail (${responseCode})`, { isFinal: true, cause });
  }
  if (typeof responseCode === "number") {
    return new MailError(`The mail server could not take the mail now (${responseCode})`, { isFinal: false, cause });
  }
  return new MailError("The mail server did not answer", { isFinal: false, cause });
}
