/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { render } from "@react-email/render";
import type { ListedMail } from "#app/domain/notifications/list-mails.server.ts";
import { wordsOf } from "#app/domain/notifications/notification-words.ts";
import { env } from "#app/env.server.ts";
import type { OutgoingMail } from "./mail-transport.server.ts";
import { NotificationMail } from "./notification-mail.tsx";

/** A mail of the outbox as its reader gets it. Links lead to the very place in the reader's portal. */
export async function renderMail(mail: ListedMail): Promise<OutgoingMail> {
  const origin = env().publicUrl;
  const words = wordsOf(mail, mail.accountType);
  const href = `${origin}/${mail.accountType}${words.path}`;
  const page = <NotificationMail words={words} name={mail.personName} href={href} origin={origin} />;
  return {
    messageId: `<${mail.id}@${new URL(origin).hostname}>`,
    to: { name: mail.personName, address: mail.address },
    // One line, whatever somebody named a campaign.
    subject: words.title.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " "),
    html: await render(page),
    text: textOf({ words, name: mail.personName, href }),
  };
}

/** The same as text alone, for readers and programs that prefer it. */
function textOf({ words, name, href }: { words: ReturnType<typeof wordsOf>; name: string; href: string }): string {
  const quote = words.quote?.split(/\r?\n/).map((line) => `> ${line}`);
  const figures = words.figures?.map(({ label, value }) => `${label}: ${value}`);
  const said = [quote?.join("\n"), figures?.join("\n")];
  const parts = [words.title, `Hello ${name},`, ...words.lines, ...said, `${words.action}: ${href}`];
  return `${parts.filter((part) => part !== undefined).join("\n\n")}\n`;
}
