import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { type MailId, parseId } from "#app/domain/ids.ts";
import { findMail, listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { retryMails } from "#app/domain/notifications/take-mail.server.ts";
import { renderMail } from "#app/mail/render-mail.server.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/** `npm run mail -- list [STATE] | show ID | retry ID | retry --all`. Only parked mails are sent again. */
const usage = `Usage: npm run mail -- list [${mailStates.join("|")}] | show ID | retry ID | retry --all`;
const [verb, argument, ...more] = process.argv.slice(2);

await runCommand(async (ctx) => {
  if (more.length > 0) throw new StartError(usage);
  const state = mailStates.find((known) => known === argument);
  if (verb === "list" && (!argument || state)) return list(ctx, state ? [state] : mailStates);
  if (verb === "show" && argument) return show(ctx, idOf(argument));
  if (verb === "retry" && argument) return retry(ctx, argument === "--all" ? undefined : idOf(argument));
  throw new StartError(usage);
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
  if (!mail) throw new StartError(`There is no mail ${id}`);
  const { to, subject, text } = await renderMail(mail);
  print(`To: ${to.name} <${to.address}>\nSubject: ${subject}\n\n${text}`);
}

async function retry(ctx: Ctx<OperatorActor>, id: MailId | undefined): Promise<void> {
  const count = await retryMails(ctx, id);
  if (id && count === 0) throw new StartError(`No mail ${id} is parked`);
  print(`${count} ${count === 1 ? "mail waits" : "mails wait"} to be sent again`);
}

function idOf(text: string): MailId {
  const id = parseId<MailId>(text);
  if (!id) throw new StartError(`${text} is no mail's id; see npm run mail -- list`);
  return id;
}
