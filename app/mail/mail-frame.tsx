/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import { Body, Container, Head, Heading, Hr, Html, Link, Preview, Section, Text } from "@react-email/components";
import type { ReactNode } from "react";
import { productName } from "#app/domain/product.ts";
import { colours, font, muted, text } from "./mail-styles.ts";

/**
 * Dark where the reader's program asks: inline styles are the light ones, for the many that ask nothing. Without `>`, which would
 * arrive as `&gt;`.
 */
const dark = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page td { background-color: #0d1017 !important; }
    .card, .card td { background-color: #151a23 !important; }
    .card { border-color: #252c39 !important; }
    .ink, .ink * { color: #f2f4f8 !important; }
    .muted, .muted * { color: #a3abb9 !important; }
    .rule { border-color: #252c39 !important; }
    .quote-advertiser { border-color: #8b87ff !important; }
    .quote-publisher { border-color: #4fd1a5 !important; }
    .button-advertiser, .button-advertiser * { background-color: #8b87ff !important; color: #0d1017 !important; }
    .button-publisher, .button-publisher * { background-color: #4fd1a5 !important; color: #0d1017 !important; }
  }
`;

/** Where the mail leads beside its subject: the product, one's choice of mails, and the end of mails like this one. */
export type MailLinks = { origin: string; choose: string; unsubscribe: string | undefined };

/** What all mails have around what they say. */
export function MailFrame({
  title,
  preview,
  name,
  links,
  children,
}: {
  title: string;
  preview: string;
  /** Who reads it. */
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
        style={{ margin: 0, padding: "24px 12px", backgroundColor: colours.ground, fontFamily: font }}
      >
        <Container
          className="card"
          style={{
            maxWidth: 560,
            padding: "28px 24px",
            backgroundColor: "#ffffff",
            border: `1px solid ${colours.line}`,
            borderRadius: 12,
          }}
        >
          <Section className="ink" style={{ color: colours.ink }}>
            <Text style={{ ...muted, margin: "0 0 20px", fontWeight: 600 }}>{productName}</Text>
            <Heading as="h1" style={{ ...text, fontSize: 22, lineHeight: "30px", fontWeight: 600 }}>
              {title}
            </Heading>
            <Text style={text}>Hello {name},</Text>
          </Section>
          {children}
          <Hr className="rule" style={{ margin: "28px 0 16px", borderColor: colours.line }} />
          <Footer {...links} />
        </Container>
      </Body>
    </Html>
  );
}

function Footer({ origin, choose, unsubscribe }: MailLinks) {
  const link = { color: "inherit", textDecoration: "underline" } as const;
  return (
    <Section className="muted" style={{ color: colours.muted }}>
      <Text style={{ ...muted, margin: 0 }}>
        You get this because you use {productName} at{" "}
        <Link href={origin} style={link}>
          {new URL(origin).host}
        </Link>
        .{" "}
        <Link href={choose} style={link}>
          Choose your e-mails
        </Link>
        {unsubscribe ? (
          <>
            {" or "}
            <Link href={unsubscribe} style={link}>
              get no more like this
            </Link>
          </>
        ) : null}
        .
      </Text>
    </Section>
  );
}
