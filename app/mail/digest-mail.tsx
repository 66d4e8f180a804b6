/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { Link, Section, Text } from "@react-email/components";
import { MailFrame, type MailLinks } from "./mail-frame.tsx";
import { colors, muted, text } from "./mail-styles.ts";

export type DigestPart = { id: string; title: string; line: string | undefined; when: string; href: string };

/** The daily mail: the notifications since the last one, each with a link. */
export type Digest = {
  title: string;
  parts: readonly DigestPart[];
  /** The number of further notifications, at `restHref`. */
  rest: number;
  restHref: string;
  name: string;
  links: MailLinks;
};

/** Renders a digest as HTML. */
export function DigestMail({ title, parts, rest, restHref, name, links }: Digest) {
  return (
    <MailFrame
      title={title}
      preview={parts
        .map((part) => part.title)
        .join(" · ")
        .slice(0, 140)}
      name={name}
      links={links}
    >
      {parts.map(({ id, title: partTitle, line, when, href }) => (
        <Section key={id} className="rule" style={{ padding: "14px 0 4px", borderTop: `1px solid ${colors.line}` }}>
          <Text className="ink" style={{ ...text, margin: "0 0 4px", fontWeight: 600 }}>
            <Link href={href} style={{ color: colors.ink, textDecoration: "underline" }}>
              {partTitle}
            </Link>
          </Text>
          {line ? (
            <Text
              className="ink"
              style={{ ...text, margin: "0 0 4px", fontSize: 14, lineHeight: "22px", color: colors.ink }}
            >
              {line}
            </Text>
          ) : null}
          <Text className="muted" style={{ ...muted, margin: "0 0 8px", color: colors.muted }}>
            {when}
          </Text>
        </Section>
      ))}
      {rest > 0 ? (
        <Text className="ink" style={{ ...text, margin: "8px 0 0", color: colors.ink }}>
          <Link href={restHref} style={{ color: colors.ink, textDecoration: "underline" }}>
            {`And ${rest.toLocaleString("en-US")} more`}
          </Link>
        </Text>
      ) : null}
    </MailFrame>
  );
}
