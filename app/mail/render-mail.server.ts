import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { isOptional } from "#app/domain/notifications/mail-kinds.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import { formatInZone } from "#app/domain/time-zone.ts";
import { env } from "#app/env.server.ts";
import type { DigestPart } from "./digest-mail.tsx";
import type { MailLinks } from "./mail-frame.tsx";
import { isDigest, titleOf } from "./mail-subject.ts";
import { digestText, noticeText } from "./mail-text.ts";
import type { OutgoingMail } from "./mail-transport.server.ts";
import { unsubscribePath } from "./unsubscribe-link.server.ts";

/** A mail of the outbox as its reader gets it. Links lead to the very place in the reader's portal. */
export async function renderMail(mail: ListedMail): Promise<OutgoingMail> {
  const origin = env().publicUrl;
  const portal = `${origin}/${mail.accountType}`;
  const event = isDigest(mail) ? null : mail.event;
  const unsubscribe =
    event && !isOptional(event) ? undefined : `${origin}${unsubscribePath({ userId: mail.userId, event })}`;
  const links = { origin, choose: `${portal}/profile#mails`, unsubscribe };
  const body = await (isDigest(mail) ? digestOf(mail, { portal, links }) : noticeOf(mail, { portal, links }));
  return {
    messageId: `<${mail.id}@${new URL(origin).hostname}>`,
    to: { name: oneLine(mail.personName), address: mail.address },
    subject: oneLine(titleOf(mail)),
    unsubscribe,
    ...body,
  };
}

/** Whatever somebody named itself or a campaign. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
}

type Place = { portal: string; links: MailLinks };

async function noticeOf(mail: ListedMail, { portal, links }: Place) {
  const words = wordsOf(mail, mail.accountType, mail.timeZone);
  const said = { words, reader: mail.accountType, name: mail.personName, href: `${portal}${words.path}`, links };
  const { noticeMarkup } = await loadMarkup();
  return { html: await noticeMarkup(said), text: noticeText(said) };
}

async function digestOf(mail: ListedMail, { portal, links }: Place) {
  const carried = mail.parts ?? [mail];
  const parts = carried.map((part): DigestPart => {
    const { title, lines, path } = wordsOf(part, part.accountType, mail.timeZone);
    const when = formatInZone(part.createdAt, mail.timeZone);
    return { id: part.id, title, line: lines[0], when, href: `${portal}${path}` };
  });
  const rest = { rest: mail.carries - parts.length, restHref: `${portal}/notifications` };
  const said = { title: titleOf(mail), parts, ...rest, name: mail.personName, links };
  const { digestMarkup } = await loadMarkup();
  return { html: await digestMarkup(said), text: digestText(said) };
}

/** Loaded with the first mail: the templates and what renders them take a tenth of the server's start and memory. */
function loadMarkup() {
  return import("./mail-markup.server.tsx");
}
