import { Readable } from "node:stream";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { MailId } from "#app/domain/ids.ts";
import { claimMail, completeMail, failMail } from "#app/domain/notifications/claim-mail.server.ts";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { reportError } from "#app/domain/report-error.ts";
import { MailError, type MailTransport } from "./mail-transport.server.ts";
import { renderMail } from "./render-mail.server.ts";
import type { ReportParts } from "./report-parts.server.ts";

/**
 * Sends a mail of the outbox, once: the worker that claims it sends it. Without a transport, and to demo accounts, the
 * mail is kept instead. Throws a MailError when the job should retry; a mail that cannot be sent, or has used up its
 * attempts, is parked for an operator.
 */
export async function deliverMail(
  ctx: Ctx<JobActor>,
  { id, transport }: { id: MailId; transport: MailTransport | undefined },
): Promise<void> {
  const mail = await claimMail(ctx, id);
  if (!mail) return;
  if (!transport || mail.isDemo) return completeMail(ctx, { id, state: "suppressed" });
  let report: ReportParts | undefined;
  try {
    if (mail.event === "report_ready") {
      report = await makeReport(ctx, mail);
      if (!report) return await completeMail(ctx, { id, state: "suppressed" });
    }
    await transport.send(await renderMail(mail, report));
  } catch (error) {
    const { message, isFinal } =
      error instanceof MailError
        ? error
        : new MailError("The email could not be rendered", { isFinal: true, cause: error });
    const { hasFailed } = await failMail(ctx, { id, message, isFinal });
    if (hasFailed && !(error instanceof MailError)) reportError(ctx, error, { work: "make_mail", mailId: id });
    if (hasFailed) return;
    throw error;
  } finally {
    if (report?.file?.content instanceof Readable) report.file.content.destroy();
  }
  await completeMail(ctx, { id, state: "sent" });
}

/**
 * Creates what a report's email has beyond its text. What goes wrong with figures and files, such as a full disk, may
 * succeed later.
 */
async function makeReport(ctx: Ctx<JobActor>, mail: ListedMail): Promise<ReportParts | undefined> {
  try {
    const { createReportParts } = await import("./report-parts.server.ts");
    return await createReportParts(ctx, mail);
  } catch (cause) {
    reportError(ctx, cause, { work: "make_mail", mailId: mail.id });
    throw new MailError("The report could not be created", { isFinal: false, cause });
  }
}
