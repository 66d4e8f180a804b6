import { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { MailId } from "#app/domain/ids.ts";
import { rebuildDigest } from "#app/domain/notifications/build-digests.server.ts";
import {
  claimMail,
  completeMail,
  failMail,
  type MailClaim,
  renewMailClaim,
} from "#app/domain/notifications/claim-mail.server.ts";
import { findSuppression } from "#app/domain/notifications/feedback/find-suppression.server.ts";
import { isHeldBack, type SuppressionReason } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { receiveMailFeedback } from "#app/domain/notifications/feedback/receive-mail-feedback.server.ts";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { isKnownEvent, isOptionalMail } from "#app/domain/notifications/mail-kinds.ts";
import { reportError } from "#app/domain/report-error.ts";
import { observers } from "#app/observability/observers.server.ts";
import { isDigest } from "./mail-subject.ts";
import { MailError, type MailTransport } from "./mail-transport.server.ts";
import { renderMail } from "./render-mail.server.ts";
import type { ReportParts } from "./report-parts.server.ts";

/** Why a mail is not sent, as the outbox shows it to an operator. */
const heldBackReasons: Record<SuppressionReason, string> = {
  bounce: "Held back: the address does not work",
  soft_bounces: "Held back: emails to the address came back on several days",
  complaint: "Held back: the recipient marked an email as spam",
};

/**
 * Sends a mail of the outbox, once: the worker that claims it sends it. Without a transport, to demo accounts, to
 * addresses that emails come back from, and to people who have turned such emails off, the mail is kept instead. An
 * address that the mail server rejects is suppressed, as if the mail had come back. Throws a MailError when the job
 * should retry; another mail that cannot be sent, or has used up its attempts, is parked for an operator.
 */
export async function deliverMail(
  ctx: Ctx<JobActor>,
  { id, transport }: { id: MailId; transport: MailTransport | undefined },
): Promise<void> {
  const mail = await claimMail(ctx, id);
  if (!mail) return;
  const claim = { id, attempts: mail.attempts };
  const suppression = await findSuppression(ctx, mail);
  if (suppression && isHeldBack(isDigest(mail) ? null : mail.event, suppression.reason))
    return completeMail(ctx, { ...claim, state: "suppressed", reason: heldBackReasons[suppression.reason] });
  // Unsubscribed since it was written, such as while the mail server was down.
  if (isDigest(mail) && (await rebuildDigest(ctx, mail))) return;
  if (!isDigest(mail) && isOptionalMail(mail.event) && mail.isMuted)
    return completeMail(ctx, { ...claim, state: "suppressed", reason: "The recipient turned these emails off" });
  if (!transport || mail.isDemo) return completeMail(ctx, { ...claim, state: "suppressed" });
  let report: ReportParts | undefined;
  try {
    if (mail.event === "report_ready") {
      report = await makeReport(ctx, mail);
      if (!report) return await completeMail(ctx, { ...claim, state: "suppressed" });
      await renewClaim(ctx, claim);
    }
    if (!isDigest(mail) && !isKnownEvent(mail.event)) {
      throw new MailError("A server of a newer version has to send this email", { isFinal: false });
    }
    await transport.send(await renderMail(mail, report));
  } catch (error) {
    const { message, isFinal } =
      error instanceof MailError
        ? error
        : new MailError("The email could not be rendered", { isFinal: true, cause: error });
    if (error instanceof MailError && error.rejectedAddress) {
      const { effect } = await receiveMailFeedback(ctx, { mailId: id, kind: "bounce", ...error.rejectedAddress });
      if (effect !== "known") observers().onBounce?.();
      return await completeMail(ctx, { ...claim, state: "suppressed", reason: message });
    }
    const { hasFailed } = await failMail(ctx, { ...claim, message, isFinal });
    if (hasFailed && !(error instanceof MailError)) reportError(ctx, error, { work: "make_mail", mailId: id });
    if (hasFailed) return;
    throw error;
  } finally {
    if (report?.file?.content instanceof Readable) report.file.content.destroy();
  }
  await recordSent(ctx, claim);
}

/**
 * Renews the claim of a mail, because creating its report may take longer than a claim is valid. Throws a MailError
 * when another worker has claimed the mail meanwhile, and sends it.
 */
async function renewClaim(ctx: Ctx<JobActor>, claim: MailClaim): Promise<void> {
  const isRenewed = await renewMailClaim(ctx, claim).catch((cause: unknown) => {
    throw new MailError("The email's claim could not be renewed", { isFinal: false, cause });
  });
  if (!isRenewed) throw new MailError("Another worker sends this email", { isFinal: false });
}

/**
 * How often a sent mail is recorded again while the database does not respond, and the pause before, in milliseconds.
 */
const [recordings, recordAgainMs] = [30, 2_000];

/** A mail that is not recorded as sent would be sent again, and a database that restarts or fails over is back soon. */
async function recordSent(ctx: Ctx<JobActor>, claim: MailClaim): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await completeMail(ctx, { ...claim, state: "sent" });
    } catch (error) {
      if (attempt === recordings) throw error;
      await sleep(recordAgainMs);
    }
  }
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
