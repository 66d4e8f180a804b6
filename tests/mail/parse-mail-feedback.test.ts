import { describe, expect, test } from "vitest";
import { type MailId, newId } from "#app/domain/ids.ts";
import { parseMailFeedback } from "#app/mail/parse-mail-feedback.server.ts";
import { returnPathFor } from "#app/mail/return-path.server.ts";
import {
  complaintReport,
  exchangeReport,
  eximReport,
  gmailReport,
  postfixReport,
} from "#tests/support/mail-reports.ts";

const mailId = newId<MailId>();
const returnPath = returnPathFor(mailId, "bounces@mail.example.com");
const parse = (text: string) => parseMailFeedback(Buffer.from(text));

test.each([
  ["Postfix", postfixReport({ returnPath }), "5.1.1"],
  ["Exim", eximReport({ returnPath }), "5.1.1"],
  ["Exchange", exchangeReport({ returnPath }), "5.1.10"],
  ["Gmail", gmailReport({ returnPath }), "5.1.1"],
])("a report of %s about an unknown address is a bounce of its mail", async (_server, report, status) => {
  expect(await parse(report)).toEqual({ mailId, kind: "bounce", status });
  // With line ends as files and pipes on Unix have them.
  expect(await parse(report.replaceAll("\r\n", "\n"))).toEqual({ mailId, kind: "bounce", status });
});

test("a return path that the message's own headers lack is found in those of the returned mail", async () => {
  const withoutTo = (report: string) => report.replace(/^(To|Delivered-To): .*\+.*\r\n/gim, "");
  expect(await parse(withoutTo(postfixReport({ returnPath })))).toMatchObject({ mailId });
  expect(await parse(withoutTo(eximReport({ returnPath })))).toMatchObject({ mailId });
  expect(await parse(withoutTo(exchangeReport({ returnPath })))).toMatchObject({ mailId: undefined, kind: "bounce" });
});

test("a return path in the text of the returned mail is not the mail's", async () => {
  const report = eximReport({ returnPath: "bounces@mail.example.com" });
  const quoted = report.replace("The text of the mail.", `Return-Path: <${returnPath}>`);
  expect(quoted).not.toBe(report);
  expect(await parse(quoted)).toMatchObject({ mailId: undefined });
});

describe("what counts as a bounce:", () => {
  test.each([
    ["a disabled mailbox", "5.2.1", "smtp; 550 5.2.1 Disabled", "bounce"],
    ["an address that Exchange Online does not know", "5.4.1", "smtp; 550 5.4.1 Access denied", "bounce"],
    ["a domain that takes no mail", "5.1.10", "smtp; 556 5.1.10 Null MX", "bounce"],
    ["a full mailbox", "5.2.2", "smtp; 552 5.2.2 Mailbox full", "soft_bounce"],
    ["a text that is rejected as spam", "5.7.1", "smtp; 550 5.7.1 Message rejected as spam", "soft_bounce"],
    ["a sender that is rejected", "5.1.8", "smtp; 501 5.1.8 Sender address rejected", "soft_bounce"],
    ["a server that could not be reached in time", "4.4.1", "X-Postfix; connect to mx: timed out", "soft_bounce"],
    ["an old server that does not know the mailbox", "5.0.0", "smtp; 550 No such user here", "bounce"],
    ["an old server with another reason", "5.0.0", "smtp; 554 Transaction failed", "soft_bounce"],
    ["an old server's code inside a general one", "5.0.0", "smtp; 550 5.7.1 Blocked", "soft_bounce"],
    ["no reason at all", "5.0.0", "x-unix; 1", "soft_bounce"],
  ])("%s", async (_reason, status, diagnostic, kind) => {
    expect(await parse(postfixReport({ returnPath, status, diagnostic }))).toMatchObject({ mailId, kind });
  });

  test("a status that is no code is none", async () => {
    const odd = { status: "unknown", diagnostic: "smtp; 550 Unknown user" };
    expect(await parse(postfixReport({ returnPath, ...odd }))).toEqual({ mailId, kind: "bounce", status: null });
    const commented = postfixReport({ returnPath, status: "5.1.1 (bad destination mailbox address)" });
    expect(await parse(commented)).toMatchObject({ kind: "bounce", status: "5.1.1" });
  });
});

test.each(["delayed", "delivered", "relayed", "expanded"])(
  "a report that a mail was %s has no effect",
  async (action) => {
    expect(await parse(gmailReport({ returnPath, action, status: "4.4.1" }))).toEqual({
      mailId,
      kind: undefined,
      status: null,
    });
  },
);

test("a complaint is one, and a message that is no spam after all has no effect", async () => {
  expect(await parse(complaintReport({ returnPath }))).toEqual({ mailId, kind: "complaint", status: null });
  expect(await parse(complaintReport({ returnPath, type: "not-spam" }))).toMatchObject({ mailId, kind: undefined });
});

test("a forged token names no mail", async () => {
  const forged = returnPath.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"));
  for (const report of [postfixReport, eximReport, exchangeReport, gmailReport, complaintReport])
    expect(await parse(report({ returnPath: forged }))).toMatchObject({ mailId: undefined });
});

test("what is no report is none, however it looks", async () => {
  const report = postfixReport({ returnPath });
  const nested = Array.from(
    { length: 40 },
    (_, depth) => `Content-Type: multipart/mixed; boundary=b${depth}\n\n--b${depth}\n`,
  );
  const messages = [
    "",
    "\0\0\0",
    "garbage",
    "From: a@example.com\nSubject: Out of office\n\nI am away.",
    report.slice(0, 400),
    report.replace("message/delivery-status", "text/plain"),
    nested.join(""),
    `X: ${"a".repeat(300_000)}\n\n`,
    `To: ${returnPath}\nContent-Type: multipart/report; boundary=""\n\n--\n`,
  ];
  for (const message of messages) expect(await parse(message), message.slice(0, 60)).toBeUndefined();
  const random = crypto.getRandomValues(new Uint8Array(60_000));
  expect(await parseMailFeedback(random)).toBeUndefined();
});

test("a report that is cut off in its middle has no effect", async () => {
  const report = postfixReport({ returnPath });
  const cut = report.slice(0, report.indexOf("Final-Recipient"));
  expect(await parse(cut)).toEqual({ mailId, kind: undefined, status: null });
});
