import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { retryMails } from "#app/domain/notifications/claim-mail.server.ts";
import { findMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { print, runCommand } from "./command.ts";

/** `npm run mail -- list [STATE] | show ID | retry ID | retry --all`. Only parked mails are retried. */
const usage = `Usage: npm run mail -- list [${mailStates.join("|")}] | show ID | retry ID | retry --all`;
const [verb, argument, ...more] = process.argv.slice(2);

await runCommand(async (ctx) => {
  if (more.length > 0) throw new StartupError(usage);
  const state = mailStates.find((known) => known === argument);
  if (verb === "list" && (!argument || state)) return list(ctx, state ? [state] : mailStates);
  if (verb === "show" && argument) return show(ctx, requireMailId(argument));
  if (verb === "retry" && argument) return retry(ctx, argument === "--all" ? undefined : requireMailId(argument));
  throw new StartupError(usage);
});

async function list(ctx: Ctx<OperatorActor>, states: Parameters<typeof listMails>[1]["states"]): Promise<void> {
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await listMails(ctx, { limit: 500, cursor, states });
    for (const { id, createdAt, state, attempts, event, address, lastError } of page.rows) {
      print([id, createdAt.toISOString(), state, attempts, event, address, lastError ?? "-"].join("\t"));
    }
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

function requireMailId(text: string): MailId {
  const id = parseId<MailId>(text);
  if (!id) throw new StartupError(`${text} is not an email ID. Run npm run mail -- list to see email IDs.`);
  return id;
}
