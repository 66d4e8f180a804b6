import type { VisitorCtx } from "#app/domain/context.ts";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import type { OutgoingMail } from "./mail-transport.server.ts";
import { renderMail } from "./render-mail.server.ts";

/**
 * Renders a mail as it would be sent now: a report with its figures and its file, whose content the caller destroys. A
 * report that would not be sent, because it was deleted or the person is no longer a recipient, has neither.
 */
export async function previewMail(ctx: VisitorCtx, mail: ListedMail): Promise<OutgoingMail> {
  if (mail.event !== "report_ready") return renderMail(mail);
  const { createReportParts } = await import("./report-parts.server.ts");
  return renderMail(mail, await createReportParts(ctx, mail));
}

/** Releases the file of a mail that is not sent. */
export function discardAttachment({ attachment }: Pick<OutgoingMail, "attachment">): void {
  if (attachment && !Buffer.isBuffer(attachment.content)) attachment.content.destroy();
}
