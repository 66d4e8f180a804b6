import type { Readable } from "node:stream";
import nodemailer from "nodemailer";
import { classifyFailure } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { type Env, env } from "#app/env.server.ts";

/** A mail to send. The Message-ID is the same in every attempt. */
export type OutgoingMail = {
  messageId: string;
  to: { name: string; address: string };
  subject: string;
  html: string;
  text: string;
  /** The one-click unsubscribe URL of optional mails, which takes a POST. */
  unsubscribe: string | undefined;
  /** The address that bounces go to, of this mail alone; undefined: the sender's. */
  returnPath?: string | undefined;
  attachment?: { name: string; type: string; content: Readable | Buffer } | undefined;
};

/** The interface to a mail server. `send` resolves when the server has accepted the mail, and throws a MailError. */
export type MailTransport = { send: (mail: OutgoingMail) => Promise<void>; close: () => void };

/**
 * A permanent reply that says that the recipient's address does not work, with its status code (RFC 3463) if it has
 * one.
 */
type RejectedAddress = { status: string | null };

/** Why a mail was not sent, in a message without the server's text. `isFinal`: a retry cannot help. */
export class MailError extends Error {
  override name = "MailError";
  readonly isFinal: boolean;
  readonly rejectedAddress: RejectedAddress | undefined;

  constructor(
    message: string,
    { isFinal, cause, rejectedAddress }: { isFinal: boolean; cause?: unknown; rejectedAddress?: RejectedAddress },
  ) {
    super(message, { cause });
    this.isFinal = isFinal;
    this.rejectedAddress = rejectedAddress;
  }
}

/** The number of connections to the mail server. */
const maxConnections = 2;

/**
 * Opens an SMTP transport to SMTP_URL; undefined without one, and mails are then kept. While the server is silent, only
 * as many mails as there are connections wait for it, and further ones fail at once: each takes a slot of the worker
 * until its timeout, and webhooks need slots too.
 */
export function openMailTransport(
  { smtpUrl, mailFrom }: Pick<Env, "smtpUrl" | "mailFrom"> = env(),
  /** The timeout of the connection, in milliseconds. */
  socketTimeoutMs = 30_000,
): MailTransport | undefined {
  if (!smtpUrl) return undefined;
  const transport = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  let [sendingCount, isSilent] = [0, false];
  return {
    async send({ messageId, to, subject, html, text, unsubscribe, returnPath, attachment }) {
      // RFC 8058: a mail client unsubscribes with one click, without a sign-in.
      const headers = {
        "Auto-Submitted": "auto-generated",
        ...(unsubscribe && {
          // On one line, as some clients require; the URL is ours.
          "List-Unsubscribe": { prepared: true, value: `<${unsubscribe}>` },
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        }),
      };
      if (isSilent && sendingCount >= maxConnections) throw new MailError(noResponse, { isFinal: false });
      sendingCount += 1;
      try {
        const attachments = attachment && [
          { filename: attachment.name, contentType: attachment.type, content: attachment.content },
        ];
        const bounces = returnPath && {
          envelope: { from: returnPath, to: to.address },
          // A bounce needs no copy of the text, where the server knows this extension (RFC 3461).
          dsn: { return: "headers" },
        };
        const content = { from: mailFrom, messageId, to, subject, html, text, headers, attachments };
        await transport.sendMail({ ...content, ...bounces });
        isSilent = false;
      } catch (error) {
        isSilent = Object(error).code === "ETIMEDOUT";
        throw toMailError(error);
      } finally {
        sendingCount -= 1;
      }
    },
    close: () => transport.close(),
  };
}

const noResponse = "The mail server did not respond";

/**
 * Converts an SMTP error. RFC 5321, section 4.2.1: 5yz is permanent, 4yz temporary. What a server says about the
 * connection or the password is temporary: it holds for all emails, and an operator can fix it.
 */
function toMailError(cause: unknown): MailError {
  const { code, responseCode, response, command } = Object(cause);
  if (code === "EAUTH")
    return new MailError("The mail server rejected the user name or password", { isFinal: false, cause });
  if (typeof responseCode === "number" && isAboutConnection(String(command), responseCode))
    return new MailError(`The mail server rejected the connection (${responseCode})`, { isFinal: false, cause });
  if (typeof responseCode === "number" && responseCode >= 500) {
    const rejectedAddress = readRejectedAddress(String(command), String(response));
    if (!rejectedAddress)
      return new MailError(`The mail server rejected the email (${responseCode})`, { isFinal: true, cause });
    const codes = [responseCode, rejectedAddress.status].filter(Boolean).join(" ");
    return new MailError(`The mail server rejected the address (${codes})`, { isFinal: true, cause, rejectedAddress });
  }
  if (typeof responseCode === "number") {
    return new MailError(`The mail server could not accept the email right now (${responseCode})`, {
      isFinal: false,
      cause,
    });
  }
  return new MailError(noResponse, { isFinal: false, cause });
}

/** nodemailer's names of what comes before the first command of an email. */
const connectionCommands = ["CONN", "EHLO", "HELO", "STARTTLS"];

/**
 * Replies about the connection at any command: a bad sequence of commands (RFC 5321, 4.2.2), and TLS or a sign-in that
 * is required (RFC 3207, 4; RFC 4954, 6).
 */
const connectionReplies = [503, 530];

function isAboutConnection(command: string, code: number): boolean {
  return connectionReplies.includes(code) || (code >= 500 && connectionCommands.includes(command));
}

/**
 * Returns what a permanent reply says about the recipient's address, by the rules for a returned mail; undefined if it
 * is about something else: the sender, the text, or our right to send through this server, which some servers state
 * without an enhanced code.
 */
function readRejectedAddress(command: string, reply: string): RejectedAddress | undefined {
  if (command !== "RCPT TO" && command !== "DATA") return undefined;
  const { kind, status } = classifyFailure({ status: undefined, reply });
  const isAboutAddress = status !== null || (command === "RCPT TO" && !/\brelay/i.test(reply));
  return kind === "bounce" && isAboutAddress ? { status } : undefined;
}
