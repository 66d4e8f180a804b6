import { appName } from "#app/domain/branding.ts";
import type { NotificationCopy } from "#app/domain/notifications/notification.ts";
import type { Digest } from "./digest-mail.tsx";
import type { MailLinks, MoreLink } from "./mail-frame.tsx";

/** Renders a notification as plain text. */
export function notificationText({
  words,
  name,
  href,
  more,
  links,
}: {
  words: Pick<NotificationCopy, "title" | "lines" | "quote" | "figures" | "action">;
  name: string;
  href: string;
  more: readonly MoreLink[];
  links: MailLinks;
}): string {
  const quote = words.quote?.split(/\r?\n/).map((line) => `> ${line}`);
  const figures = words.figures?.map(({ label, value, note }) => `${label}: ${value}${note ? ` (${note})` : ""}`);
  const details = [quote?.join("\n"), figures?.join("\n")];
  const ways = [{ action: words.action, href }, ...more].map((way) => `${way.action}: ${way.href}`);
  return joinText([words.title, `Hi ${name},`, ...words.lines, ...details, ...ways], links);
}

/** Renders a digest as plain text. */
export function digestText({ title, parts, rest, restHref, name, links }: Digest): string {
  const details = parts.map((part) =>
    [`* ${part.title}`, part.line, part.when, part.href].filter(Boolean).join("\n  "),
  );
  return joinText([title, `Hi ${name},`, ...details, rest > 0 ? `And ${rest} more: ${restHref}` : undefined], links);
}

function joinText(paragraphs: readonly (string | undefined)[], { origin, settings, unsubscribe }: MailLinks): string {
  const footer = [
    "--",
    `You're receiving this email because you have an ${appName} account at ${origin}`,
    `Manage email settings: ${settings}`,
    unsubscribe && `Unsubscribe from these emails: ${unsubscribe}`,
  ];
  const parts = [...paragraphs, footer.filter(Boolean).join("\n")];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
