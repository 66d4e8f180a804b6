import type { NoticeWords } from "#app/domain/notifications/notification.ts";
import { productName } from "#app/domain/product.ts";
import type { DigestPart } from "./digest-mail.tsx";
import type { MailLinks } from "./mail-frame.tsx";

/** A notice as text alone, for readers and programs that prefer it. */
export function noticeText({
  words,
  name,
  href,
  links,
}: {
  words: NoticeWords;
  name: string;
  href: string;
  links: MailLinks;
}): string {
  const quote = words.quote?.split(/\r?\n/).map((line) => `> ${line}`);
  const figures = words.figures?.map(({ label, value }) => `${label}: ${value}`);
  const said = [quote?.join("\n"), figures?.join("\n")];
  return textOf([words.title, `Hello ${name},`, ...words.lines, ...said, `${words.action}: ${href}`], links);
}

/** The daily mail as text alone. */
export function digestText({
  title,
  parts,
  rest,
  restHref,
  name,
  links,
}: {
  title: string;
  parts: readonly DigestPart[];
  rest: number;
  restHref: string;
  name: string;
  links: MailLinks;
}): string {
  const said = parts.map((part) => [`* ${part.title}`, part.line, part.when, part.href].filter(Boolean).join("\n  "));
  return textOf([title, `Hello ${name},`, ...said, rest > 0 ? `And ${rest} more: ${restHref}` : undefined], links);
}

function textOf(paragraphs: readonly (string | undefined)[], { origin, choose, unsubscribe }: MailLinks): string {
  const footer = [
    "--",
    `You get this because you use ${productName} at ${origin}`,
    `Choose your e-mails: ${choose}`,
    unsubscribe && `Get no more like this: ${unsubscribe}`,
  ];
  const parts = [...paragraphs, footer.filter(Boolean).join("\n")];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
