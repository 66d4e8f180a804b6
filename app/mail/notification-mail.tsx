/** @jsxRuntime automatic — the server runs this file from any folder, away from tsconfig.json. */
import {
  Body,
  Button,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  Section,
  Text,
} from "@react-email/components";
import type { NoticeWords } from "#app/domain/notifications/notification.ts";
import { productName } from "#app/domain/product.ts";

const font = "Inter, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";
const text = { margin: "0 0 16px", fontSize: 16, lineHeight: "24px", overflowWrap: "anywhere" } as const;
const muted = { ...text, fontSize: 13, lineHeight: "20px" } as const;

/** Dark where the reader's program asks: inline styles are the light ones, for the many that ask nothing. */
const dark = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (prefers-color-scheme: dark) {
    .page, .page > table > tbody > tr > td { background-color: #0b0d12 !important; }
    .card { background-color: #161a22 !important; border-color: #2a2f3a !important; }
    .ink, .ink * { color: #f2f4f8 !important; }
    .muted, .muted * { color: #a3abb9 !important; }
    .rule { border-color: #2a2f3a !important; }
    .quote { border-color: #8b83ff !important; }
    .button { background-color: #8b83ff !important; color: #0b0d12 !important; }
  }
`;

/** The one frame of all mails: what happened, what it means, and the one way on. */
export function NotificationMail({
  words,
  name,
  href,
  origin,
}: {
  words: NoticeWords;
  /** Who reads it. */
  name: string;
  /** Where the button leads. */
  href: string;
  origin: string;
}) {
  return (
    <Html lang="en">
      <Head>
        <meta name="color-scheme" content="light dark" />
        <style>{dark}</style>
      </Head>
      <Preview>{words.lines[0] ?? words.title}</Preview>
      <Body className="page" style={{ margin: 0, padding: "24px 12px", backgroundColor: "#f6f7f9", fontFamily: font }}>
        <Container
          className="card"
          style={{
            maxWidth: 560,
            padding: 32,
            backgroundColor: "#ffffff",
            border: "1px solid #e3e5ea",
            borderRadius: 12,
          }}
        >
          <Section className="ink" style={{ color: "#14161c" }}>
            <Text style={{ ...text, fontWeight: 600 }}>{productName}</Text>
            <Heading as="h1" style={{ ...text, fontSize: 22, lineHeight: "30px", fontWeight: 600 }}>
              {words.title}
            </Heading>
            <Text style={text}>Hello {name},</Text>
            {words.lines.map((line) => (
              <Text key={line} style={text}>
                {line}
              </Text>
            ))}
            {words.quote ? (
              <Text
                className="quote"
                style={{ ...text, paddingLeft: 16, borderLeft: "3px solid #4338ca", whiteSpace: "pre-line" }}
              >
                {words.quote}
              </Text>
            ) : null}
            {words.figures ? <Figures figures={words.figures} /> : null}
          </Section>
          <Button
            className="button"
            href={href}
            style={{
              padding: "12px 20px",
              borderRadius: 8,
              backgroundColor: "#4338ca",
              color: "#ffffff",
              fontSize: 16,
              fontWeight: 600,
            }}
          >
            {words.action}
          </Button>
          <Hr className="rule" style={{ margin: "28px 0 16px", borderColor: "#e3e5ea" }} />
          <Section className="muted" style={{ color: "#5b6270" }}>
            <Text style={{ ...muted, margin: 0 }}>
              You get this because you use {productName} at{" "}
              <Link href={origin} style={{ color: "inherit", textDecoration: "underline" }}>
                {new URL(origin).host}
              </Link>
              .
            </Text>
          </Section>
        </Container>
      </Body>
    </Html>
  );
}

function Figures({ figures }: { figures: NonNullable<NoticeWords["figures"]> }) {
  return (
    <table
      className="figures"
      role="presentation"
      width="100%"
      style={{ margin: "0 0 24px", borderCollapse: "collapse" }}
    >
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

const cell = { padding: "8px 0", borderBottom: "1px solid #e3e5ea", fontSize: 16, lineHeight: "24px" } as const;
