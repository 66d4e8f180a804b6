/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { Body, Container, Head, Heading, Hr, Html, Link, Preview, Section, Text } from "@react-email/components";
import type { ReactNode } from "react";
import { appName } from "#app/domain/branding.ts";
import { colors, font, muted, text } from "./mail-styles.ts";

/**
 * Styles for dark mode, where the mail client supports it; the inline styles are the light ones. No `>` in selectors,
 * because it would arrive as `&gt;`.
 */
const dark = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page td { background-color: #0d1017 !important; }
    .card, .card td { background-color: #151a23 !important; }
    .card { border-color: #252c39 !important; }
    .ink, .ink * { color: #f2f4f8 !important; }
    .muted, .muted *, .ink .muted { color: #a3abb9 !important; }
    .rule { border-color: #252c39 !important; }
    .quote-advertiser { border-color: #8b87ff !important; }
    .quote-publisher { border-color: #4fd1a5 !important; }
    .button-advertiser, .button-advertiser * { background-color: #8b87ff !important; color: #0d1017 !important; }
    .button-publisher, .button-publisher * { background-color: #4fd1a5 !important; color: #0d1017 !important; }
  }
`;

/** The links of the footer: the app, the mail settings, and the unsubscribe page of optional mails. */
export type MailLinks = { origin: string; settings: string; unsubscribe: string | undefined };

/** A link below the button. */
export type MoreLink = { action: string; href: string };

/** The frame that all mails share. */
export function MailFrame({
  title,
  preview,
  name,
  links,
  children,
}: {
  title: string;
  preview: string;
  /** The recipient's name. */
  name: string;
  links: MailLinks;
  children: ReactNode;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <style>{dark}</style>
      </Head>
      <Preview>{preview}</Preview>
      <Body
        className="page"
        style={{ margin: 0, padding: "24px 12px", backgroundColor: colors.background, fontFamily: font }}
      >
        <Container
          className="card"
          style={{
            maxWidth: 560,
            padding: "28px 24px",
            backgroundColor: "#ffffff",
            border: `1px solid ${colors.line}`,
            borderRadius: 12,
          }}
        >
          <Section className="ink" style={{ color: colors.ink }}>
            <Text style={{ ...muted, margin: "0 0 20px", fontWeight: 600 }}>{appName}</Text>
            <Heading as="h1" style={{ ...text, fontSize: 22, lineHeight: "30px", fontWeight: 600 }}>
              {title}
            </Heading>
            <Text style={text}>Hi {name},</Text>
          </Section>
          {children}
          <Hr className="rule" style={{ margin: "28px 0 16px", borderColor: colors.line }} />
          <Footer {...links} />
        </Container>
      </Body>
    </Html>
  );
}

function Footer({ origin, settings, unsubscribe }: MailLinks) {
  const link = { color: "inherit", textDecoration: "underline" } as const;
  return (
    <Section className="muted" style={{ color: colors.muted }}>
      <Text style={{ ...muted, margin: 0 }}>
        You're receiving this email because you have an {appName} account at{" "}
        <Link href={origin} style={link}>
          {new URL(origin).host}
        </Link>
        .{" "}
        <Link href={settings} style={link}>
          Manage email settings
        </Link>
        {unsubscribe ? (
          <>
            {" or "}
            <Link href={unsubscribe} style={link}>
              unsubscribe
            </Link>
          </>
        ) : null}
        .
      </Text>
    </Section>
  );
}
