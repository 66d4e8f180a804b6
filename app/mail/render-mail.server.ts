import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { isOptionalMail } from "#app/domain/notifications/mail-kinds.ts";
import type { NotificationCopy } from "#app/domain/notifications/notification.ts";
import { describeNotification } from "#app/domain/notifications/notification-copy.ts";
import { formatInZone } from "#app/domain/time-zone.ts";
import { env } from "#app/env.server.ts";
import { confirmationQuery } from "./confirmation-link.server.ts";
import type { DigestPart } from "./digest-mail.tsx";
import type { MailLinks } from "./mail-frame.tsx";
import { isDigest, mailTitle } from "./mail-subject.ts";
import { digestText, notificationText } from "./mail-text.ts";
import type { OutgoingMail } from "./mail-transport.server.ts";
import type { ReportParts } from "./report-parts.server.ts";
import { returnPathFor } from "./return-path.server.ts";
import { unsubscribePath } from "./unsubscribe-link.server.ts";

/**
 * Renders a mail of the outbox. Its links lead to the page concerned in the recipient's portal. `report` has the
 * figures and the file of a report's mail.
 */
export async function renderMail(mail: ListedMail, report?: ReportParts): Promise<OutgoingMail> {
  const { publicUrl: origin, mailReturnPath } = env();
  const portal = `${origin}/${mail.accountType}`;
  const event = isDigest(mail) ? null : mail.event;
  const unsubscribe =
    event && !isOptionalMail(event) ? undefined : `${origin}${unsubscribePath({ userId: mail.userId, event })}`;
  const links = { origin, settings: `${portal}/profile?section=mails`, unsubscribe };
  const body = await (isDigest(mail)
    ? renderDigest(mail, { portal, links })
    : renderNotification(mail, { portal, links, report }));
  return {
    messageId: `<${mail.id}@${new URL(origin).hostname}>`,
    to: { name: oneLine(mail.personName), address: mail.address },
    subject: oneLine(mailTitle(mail)),
    unsubscribe,
    returnPath: mailReturnPath && returnPathFor(mail.id, mailReturnPath),
    attachment: report?.file,
    ...body,
  };
}

/** Replaces control characters and line breaks, which names of people and campaigns may contain. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

type RenderOptions = { portal: string; links: MailLinks };

async function renderNotification(
  mail: ListedMail,
  { portal, links, report }: RenderOptions & { report: ReportParts | undefined },
) {
  const words = withReport(describeNotification(mail, mail.accountType, mail.timeZone), report);
  const more = words.more.map(({ action, path }) => ({ action, href: `${portal}${path}` }));
  const token = mail.event === "email_confirmation" ? `?${confirmationQuery(mail.id)}` : "";
  const href = `${portal}${words.path}${token}`;
  const props = { words, reader: mail.accountType, name: mail.personName, href, more, links };
  const { noticeMarkup } = await loadMarkup();
  return { html: await noticeMarkup(props), text: notificationText(props) };
}

/** Adds a report's figures, and where its file is. */
function withReport(words: NotificationCopy, report: ReportParts | undefined) {
  if (!report) return { ...words, more: words.more ? [words.more] : [] };
  const download = { action: "Download the file", path: report.filePath };
  return {
    ...words,
    lines: [...words.lines, report.file ? "The file is attached." : "The file is too large for an email."],
    figures: report.figures,
    more: [...(report.file ? [] : [download]), ...(words.more ? [words.more] : [])],
  };
}

async function renderDigest(mail: ListedMail, { portal, links }: RenderOptions) {
  const notifications = mail.parts ?? [mail];
  const parts = notifications.map((part): DigestPart => {
    const { title, lines, path } = describeNotification(part, part.accountType, mail.timeZone);
    const when = formatInZone(part.createdAt, mail.timeZone);
    return { id: part.id, title, line: lines[0], when, href: `${portal}${path}` };
  });
  const rest = { rest: mail.carries - parts.length, restHref: `${portal}/notifications` };
  const props = { title: mailTitle(mail), parts, ...rest, name: mail.personName, links };
  const { digestMarkup } = await loadMarkup();
  return { html: await digestMarkup(props), text: digestText(props) };
}

/**
 * Loads the templates with the first mail: they and their renderer take a tenth of the server's startup time and
 * memory.
 */
function loadMarkup() {
  return import("./mail-markup.server.tsx");
}
