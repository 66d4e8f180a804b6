import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { desc, eq } from "drizzle-orm";
import express from "express";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { MailId } from "#app/domain/ids.ts";
import type { MailFeedbackKind } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { returnPathFor } from "#app/mail/return-path.server.ts";
import { mailFeedback, mailSuppressions, mails } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { handleMailFeedback, mailFeedbackPath } from "#server/http/mail-feedback.ts";
import { limitRequests } from "#server/http/request-limits.ts";
import type { Metrics } from "#server/observability/recorder.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import {
  complaintReport,
  exchangeReport,
  eximReport,
  gmailReport,
  postfixReport,
} from "#tests/support/mail-reports.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const secret = "f".repeat(32);
const maxBytes = 100_000;
const counted: MailFeedbackKind[] = [];
let world: World;
let server: Server;
let origin: string;

/** Serves the endpoint as the server does, with a smaller limit. */
function listen(mailFeedbackSecret: string | undefined): Promise<Server> {
  const metrics = { mailFeedback: (kind) => void counted.push(kind) } satisfies Partial<Metrics> as Metrics;
  const app = express().use(
    mailFeedbackPath,
    ...limitRequests({ milliseconds: 10_000, bytes: maxBytes }),
    handleMailFeedback({ mailFeedbackSecret }, metrics),
  );
  return new Promise((done) => {
    const listening = createServer(app).listen(0, "127.0.0.1", () => done(listening));
  });
}
const originOf = (one: Server) => `http://127.0.0.1:${(one.address() as AddressInfo).port}${mailFeedbackPath}`;

beforeAll(async () => {
  world = await createWorld(db());
  server = await listen(secret);
  origin = originOf(server);
});
afterAll(() => void server.close());

let mailId: MailId;
let returnPath: string;
beforeEach(async () => {
  counted.length = 0;
  await db().delete(mailSuppressions);
  await db().delete(mailFeedback);
  await world.aLaunchedCampaign();
  const own = eq(mails.userId, demoUserId("northwind"));
  const [mail] = await db().select().from(mails).where(own).orderBy(desc(mails.id)).limit(1);
  mailId = mail?.id ?? expect.fail("no mail");
  returnPath = returnPathFor(mailId, "bounces@mail.example.com");
});

async function post(body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}, to = origin) {
  const defaults = { Authorization: `Bearer ${secret}`, "Content-Type": "message/rfc822" };
  const response = await fetch(to, { method: "POST", body, headers: { ...defaults, ...headers } });
  const text = await response.text();
  return { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
}
const json = (value: unknown) => post(JSON.stringify(value), { "Content-Type": "application/json" });
const countRows = async () => [await db().$count(mailFeedback), await db().$count(mailSuppressions)];

test.each([
  ["Postfix", postfixReport],
  ["Exim", eximReport],
  ["Exchange", exchangeReport],
  ["Gmail", gmailReport],
])("a bounce from %s suppresses the address, once", async (_server, report) => {
  expect(await post(report({ returnPath }))).toEqual({ status: 200, body: { received: true, effect: "suppressed" } });
  expect(await post(report({ returnPath }))).toEqual({ status: 200, body: { received: true, effect: "known" } });
  expect(await countRows()).toEqual([1, 1]);
  expect(counted).toEqual(["bounce"]);
});

test("a complaint suppresses the address, and a delay does nothing", async () => {
  const delay = postfixReport({ returnPath, action: "delayed", status: "4.4.1" });
  expect((await post(delay)).body).toEqual({ received: true, effect: "none" });
  expect(await countRows()).toEqual([0, 0]);
  expect((await post(complaintReport({ returnPath }))).body).toEqual({ received: true, effect: "suppressed" });
  expect(counted).toEqual(["complaint"]);
});

test("a report without the message's header is read by the type of the request", async () => {
  const report = postfixReport({ returnPath });
  const [type = ""] = /multipart\/report;[^"]+"[^"]+"/.exec(report) ?? [];
  const body = report.slice(report.indexOf("\r\n\r\n") + 4);
  expect((await post(body, { "Content-Type": type.replace(/\s+/g, " ") })).body.effect).toBe("suppressed");
});

test("JSON names the return path, the kind and perhaps the status", async () => {
  expect((await json({ return_path: returnPath, kind: "soft_bounce", status: "4.2.2" })).body.effect).toBe("counted");
  expect((await json({ return_path: returnPath, kind: "bounce", status: null })).body.effect).toBe("suppressed");
  for (const value of [
    ...[null, [], "text", {}, { return_path: returnPath }, { return_path: 1, kind: "bounce" }],
    { return_path: returnPath, kind: "else" },
    { return_path: returnPath, kind: "bounce", status: "5.1" },
    { return_path: "x".repeat(400), kind: "bounce" },
  ])
    expect(await json(value), JSON.stringify(value)).toMatchObject({
      status: 400,
      body: { error: { code: "malformed" } },
    });
  expect((await post("{", { "Content-Type": "application/json" })).status).toBe(400);
});

test("nothing is accepted with another secret or none, and the body is not looked at", async () => {
  for (const authorization of [
    "",
    "Bearer",
    `Bearer ${secret}x`,
    `Bearer ${secret.slice(1)}`,
    secret,
    `Basic ${secret}`,
  ]) {
    const answer = await post(postfixReport({ returnPath }), { Authorization: authorization });
    expect(answer, authorization).toMatchObject({ status: 401, body: { error: { code: "unauthenticated" } } });
  }
  expect(await countRows()).toEqual([0, 0]);
});

test("a forged token, and one of a deleted email, are about no email", async () => {
  const forged = returnPath.replace(/.@/, (end) => (end === "0@" ? "1@" : "0@"));
  for (const path of [forged, "bounces@mail.example.com", returnPath.replace("+", "-")]) {
    expect(await post(postfixReport({ returnPath: path })), path).toMatchObject({ status: 404 });
    expect(await json({ return_path: path, kind: "bounce" }), path).toMatchObject({ status: 404 });
  }
  await db().delete(mails).where(eq(mails.id, mailId));
  expect(await post(postfixReport({ returnPath }))).toMatchObject({
    status: 404,
    body: { error: { code: "not_found" } },
  });
  expect(await countRows()).toEqual([0, 0]);
});

test("garbage, other types and too much are rejected, each with its reason", async () => {
  const random = crypto.getRandomValues(new Uint8Array(50_000));
  for (const body of ["", "garbage", "Subject: Out of office\r\n\r\nI am away.", random])
    expect(await post(body)).toMatchObject({ status: 400, body: { error: { code: "malformed" } } });
  for (const type of ["text/plain", "application/octet-stream", "multipart/form-data; boundary=a", "x"])
    expect(await post("a", { "Content-Type": type }), type).toMatchObject({ status: 415 });
  expect(await post("a".repeat(maxBytes + 1))).toMatchObject({ status: 413 });
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(20_000)) });
  const init = { method: "POST", body: endless, duplex: "half", headers: { Authorization: `Bearer ${secret}` } };
  const response = await fetch(origin, init as RequestInit).catch(() => undefined);
  expect([413, undefined]).toContain(response?.status);
  expect(await countRows()).toEqual([0, 0]);
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

test.runIf(hasCurl)(
  "the script of a mail server keeps a report in its queue until the server has received it",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "endcap-feedback-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const headerOf = (name: string, text: string) => {
      writeFileSync(join(folder, name), `Authorization: Bearer ${text}\n`);
      return join(folder, name);
    };
    const right = headerOf("right", secret);
    const wrong = headerOf("wrong", "w".repeat(32));
    const unset = await listen(undefined);
    onTestFinished(() => void unset.close());
    const run = async (message: string, { header = right, url = origin } = {}) => {
      const child = spawn("/bin/sh", ["deploy/mail-feedback.sh", header, url]);
      const said = text(child.stderr);
      // It may end before it reads the message.
      child.stdin.on("error", () => undefined).end(message);
      const [code] = await once(child, "exit");
      return { code, said: await said };
    };
    const report = postfixReport({ returnPath });
    expect(await run(report, { header: wrong })).toEqual({ code: 75, said: `${origin} responded with 401\n` });
    expect(await run(report, { header: join(folder, "none") })).toMatchObject({ code: 75 });
    expect(await run(report, { url: originOf(unset) })).toMatchObject({ code: 75 });
    expect(await run(report, { url: "http://127.0.0.1:9/" })).toEqual({
      code: 75,
      said: expect.stringContaining("curl"),
    });
    expect(await countRows()).toEqual([0, 0]);
    expect(await run(report)).toEqual({ code: 0, said: "" });
    expect(await countRows()).toEqual([1, 1]);
    expect(await run("Subject: Out of office\r\n\r\nI am away.")).toEqual({ code: 0, said: "" });
    expect(await run(report.padEnd(maxBytes + 1))).toMatchObject({ code: 0 });
  },
);

test("the endpoint does not exist without a secret, and only POST has it", async () => {
  const unset = await listen(undefined);
  expect((await post(postfixReport({ returnPath }), {}, originOf(unset))).status).toBe(404);
  unset.close();
  expect((await fetch(origin, { headers: { Authorization: `Bearer ${secret}` } })).status).toBe(404);
});

test("what a report says is in no log line", async () => {
  const written = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  await post(postfixReport({ returnPath, address: "private@example.org" }));
  const text = written.mock.calls.map(([chunk]) => String(chunk)).join("");
  written.mockRestore();
  expect(text).not.toContain("private@example.org");
  expect(text).not.toContain(returnPath);
});
