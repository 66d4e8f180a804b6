/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { Button, Section, Text } from "@react-email/components";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { NoticeWords } from "#app/domain/notifications/notification.ts";
import { MailFrame, type MailLinks } from "./mail-frame.tsx";
import { accents, colours, text } from "./mail-styles.ts";

/** One notice: what happened, what it means, and the one way on. */
export function NotificationMail({
  words,
  reader,
  name,
  href,
  links,
}: {
  words: NoticeWords;
  /** Whose portal it leads to. */
  reader: AccountType;
  name: string;
  /** Where the button leads. */
  href: string;
  links: MailLinks;
}) {
  return (
    <MailFrame title={words.title} preview={words.lines[0] ?? words.title} name={name} links={links}>
      <Section className="ink" style={{ color: colours.ink }}>
        {words.lines.map((line) => (
          <Text key={line} style={text}>
            {line}
          </Text>
        ))}
        {words.quote ? (
          <Text
            className={`quote-${reader}`}
            style={{ ...text, paddingLeft: 16, borderLeft: `3px solid ${accents[reader]}`, whiteSpace: "pre-line" }}
          >
            {words.quote}
          </Text>
        ) : null}
        {words.figures ? <Figures figures={words.figures} /> : null}
      </Section>
      <Button
        className={`button-${reader}`}
        href={href}
        style={{
          marginTop: 8,
          padding: "12px 20px",
          borderRadius: 8,
          backgroundColor: accents[reader],
          color: "#ffffff",
          fontSize: 16,
          fontWeight: 600,
        }}
      >
        {words.action}
      </Button>
    </MailFrame>
  );
}

function Figures({ figures }: { figures: NonNullable<NoticeWords["figures"]> }) {
  const cell = {
    padding: "8px 0",
    borderBottom: `1px solid ${colours.line}`,
    fontSize: 16,
    lineHeight: "24px",
  } as const;
  return (
    <table role="presentation" width="100%" style={{ margin: "0 0 24px", borderCollapse: "collapse" }}>
      <tbody>
        {figures.map(({ label, value }) => (
          <tr key={label}>
            <td className="rule" style={{ ...cell, textAlign: "left" }}>
              {label}
            </td>
            <td className="rule" style={{ ...cell, textAlign: "right", fontWeight: 600 }}>
              {value}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
