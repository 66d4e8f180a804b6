/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { Button, Link, Section, Text } from "@react-email/components";
import type { AccountType } from "#app/domain/accounts/account.ts";
import type { NotificationCopy } from "#app/domain/notifications/notification.ts";
import { MailFrame, type MailLinks, type MoreLink } from "./mail-frame.tsx";
import { accents, colors, text } from "./mail-styles.ts";

/** The mail of one notification: what happened, what it means, and one link. */
export function NotificationMail({
  words,
  reader,
  name,
  href,
  more,
  links,
}: {
  words: Pick<NotificationCopy, "title" | "lines" | "quote" | "figures" | "action">;
  /** The type of the recipient's account, which selects the portal's color. */
  reader: AccountType;
  name: string;
  /** The URL of the button. */
  href: string;
  /** Links below the button. */
  more: readonly MoreLink[];
  links: MailLinks;
}) {
  return (
    <MailFrame title={words.title} preview={words.lines[0] ?? words.title} name={name} links={links}>
      <Section className="ink" style={{ color: colors.ink }}>
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
      {more.map((link) => (
        <Text key={link.href} className="ink" style={{ ...text, margin: "16px 0 0", color: colors.ink }}>
          <Link href={link.href} style={{ color: colors.ink, textDecoration: "underline" }}>
            {link.action}
          </Link>
        </Text>
      ))}
    </MailFrame>
  );
}

function Figures({ figures }: { figures: NonNullable<NotificationCopy["figures"]> }) {
  const cell = {
    padding: "8px 0",
    borderBottom: `1px solid ${colors.line}`,
    fontSize: 16,
    lineHeight: "24px",
  } as const;
  return (
    <table width="100%" style={{ margin: "0 0 24px", borderCollapse: "collapse" }}>
      <tbody>
        {figures.map(({ label, value, note }) => (
          <tr key={label}>
            <th
              scope="row"
              className="rule"
              style={{ ...cell, textAlign: "left", verticalAlign: "top", fontWeight: 400 }}
            >
              {label}
            </th>
            <td className="rule" style={{ ...cell, textAlign: "right" }}>
              <span style={{ fontWeight: 600 }}>{value}</span>
              {note ? (
                <>
                  <br />
                  <span className="muted" style={{ fontSize: 13, lineHeight: "18px", color: colors.muted }}>
                    {note}
                  </span>
                </>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
