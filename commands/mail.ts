import { readFile } from "node:fs/promises";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { retryMails } from "#app/domain/notifications/claim-mail.server.ts";
import { resumeAddress } from "#app/domain/notifications/feedback/lift-suppression.server.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import { findMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { parseMailFeedback } from "#app/mail/parse-mail-feedback.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/**
 * `npm run mail -- list [STATE] | show ID | retry ID | retry --all | feedback FILE | confirm ADDRESS`. Only parked
 * mails are retried. `feedback` reads a mail server's report, `confirm` resumes emails to an address.
 */
const usage = `Usage: npm run mail -- list [${mailStates.join("|")}] | show ID | retry ID | retry --all | feedback FILE | confirm ADDRESS`;

export default databaseCommand(async ({ ctx, args }) => {
  const [verb, argument, ...more] = args;
  if (more.length > 0) throw new StartupError(usage);
  const state = mailStates.find((known) => known === argument);
  if (verb === "list" && (!argument || state)) return list(ctx, state ? [state] : mailStates);
  if (verb === "show" && argument) return show(ctx, requireMailId(argument));
  if (verb === "retry" && argument) return retry(ctx, argument === "--all" ? undefined : requireMailId(argument));
  if (verb === "feedback" && argument) return importFeedback(ctx, argument);
  if (verb === "confirm" && argument) return confirm(ctx, argument);
  throw new StartupError(usage);
});

async function list(ctx: Ctx<OperatorActor>, states: Parameters<typeof listMails>[1]["states"]): Promise<void> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await listMails(ctx, { limit: 500, cursor, states });
    for (const { id, createdAt, state, attempts, event, address, lastError, feedback } of page.rows) {
      print([id, createdAt.toISOString(), state, attempts, event, address, lastError ?? feedback ?? "-"].join("\t"));
    }
    if (!cursor && page.rows.length === 0) printNote("No emails");
    cursor = page.nextCursor;
  }
}

async function show(ctx: Ctx<OperatorActor>, id: MailId): Promise<void> {
  const mail = await findMail(ctx, id);
  if (!mail) throw new StartupError(`No email with ID ${id}`);
  const { to, subject, text, returnPath } = await renderMail(mail);
  if (returnPath) print(`Return-Path: <${returnPath}>`);
  print(`To: ${to.name} <${to.address}>\nSubject: ${subject}\n\n${text}`);
}

async function retry(ctx: Ctx<OperatorActor>, id: MailId | undefined): Promise<void> {
  const count = await retryMails(ctx, id);
  if (id && count === 0) throw new StartupError(`Email ${id} is not parked, so it can't be retried`);
  print(`${count} ${count === 1 ? "email" : "emails"} queued for retry`);
}

async function importFeedback(ctx: Ctx<OperatorActor>, file: string): Promise<void> {
  const message = await readFile(file).catch(() => {
    throw new StartupError(`${file} can't be read`);
  });
  const found = await parseMailFeedback(message);
  if (!found) throw new StartupError(`${file} is no delivery report (RFC 3464) and no complaint (RFC 5965)`);
  const { mailId, kind, status } = found;
  if (!mailId) throw new StartupError(`${file} is about no email of this product: it has no valid return path`);
  if (!kind) return print(`${mailId}\tno effect`);
  const { effect } = await receiveMailFeedback(ctx, { mailId, kind, status });
  print([mailId, kind, status ?? "-", effect].join("\t"));
}

async function confirm(ctx: Ctx<OperatorActor>, address: string): Promise<void> {
  if (!(await resumeAddress(ctx, { address }))) throw new StartupError(`Emails to ${address} are not held back`);
  print(`Emails to ${address} are sent again`);
}

function requireMailId(text: string): MailId {
  const id = parseId<MailId>(text);
  if (!id) throw new StartupError(`${text} is not an email ID. Run npm run mail -- list to see email IDs.`);
  return id;
}
