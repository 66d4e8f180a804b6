import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { MailId } from "#app/domain/ids.ts";
import { endMail, failMail, takeMail } from "#app/domain/notifications/take-mail.server.ts";
import { reportError } from "#app/domain/report-error.ts";
import { MailError, type MailTransport } from "./mail-transport.server.ts";
import { renderMail } from "./render-mail.server.ts";

/**
 * Sends a mail of the outbox, once: whoever takes it sends it. Without a transport, and to the demo accounts, it is kept. Throws a
 * MailError when it is to be tried again; when none can help, or it was tried often enough, it is parked for an operator.
 */
export async function deliverMail(
  ctx: Ctx<JobActor>,
  { id, transport }: { id: MailId; transport: MailTransport | undefined },
): Promise<void> {
  const mail = await takeMail(ctx, id);
  if (!mail) return;
  if (!transport || mail.isDemo) return endMail(ctx, { id, state: "kept" });
  try {
    await transport.send(await renderMail(mail));
  } catch (error) {
    const { message, isFinal } =
      error instanceof MailError ? error : new MailError("The mail could not be made", { isFinal: true, cause: error });
    const { isParked } = await failMail(ctx, { id, message, isFinal });
    if (isParked && !(error instanceof MailError)) reportError(ctx, error, { work: "make_mail", mailId: id });
    if (isParked) return;
    throw error;
  }
  await endMail(ctx, { id, state: "sent" });
}
