import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import type { MailId } from "#app/domain/ids.ts";
import { requeueStaleMails, retryMails } from "#app/domain/notifications/claim-mail.server.ts";
import { listMails } from "#app/domain/notifications/list-mails.server.ts";
import { mailStates } from "#app/domain/notifications/notification.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { sendMailTask } from "#app/domain/notifications/send-mail-task.ts";
import * as environment from "#app/env.server.ts";
import { env } from "#app/env.server.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import { MailError, type OutgoingMail, openMailTransport } from "#app/mail/mail-transport.server.ts";
import * as reportParts from "#app/mail/report-parts.server.ts";
import { findReturnPath } from "#app/mail/return-path.server.ts";
import { observers } from "#app/observability/observers.server.ts";
import { accounts, mailSuppressions, mails, users } from "#db/schema/index.ts";
import { startTaskWorker } from "#server/jobs/task-worker.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { startMailCatcher } from "#tests/support/fakes/mail-catcher.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let catcher: Awaited<ReturnType<typeof startMailCatcher>>;
let stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  world = await createWorld(db());
  // Demo accounts get no mail.
  await db().update(accounts).set({ isDemo: false });
  catcher = await startMailCatcher();
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
  catcher.caught.length = 0;
});
afterAll(() => catcher.stop());

function startWorker(smtpUrl: string | undefined = catcher.url, socketTimeoutMs?: number): void {
  const transport =
    smtpUrl && openMailTransport({ smtpUrl, mailFrom: "Endcap <mail@endcap.example>" }, socketTimeoutMs);
  stops.push(startTaskWorker({ url: db.url(), db: db(), clock: world.clock, transport: transport || undefined }).stop);
}

async function outbox() {
  return (await listMails(world.job, { limit: 500, states: mailStates })).rows;
}

async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  for (const from = Date.now(); !(await holds()); await sleep(20)) {
    if (Date.now() - from > 20_000) expect.fail(`it never came to that: ${JSON.stringify(await outbox())}`);
  }
}

/** Leaves the emails' jobs as a worker that died does. */
async function lockJobs({ minutesAgo }: { minutesAgo: number }): Promise<void> {
  await db.owner().execute(sql`
    update graphile_worker._private_jobs set locked_by = 'a worker that died', locked_at = now() - ${minutesAgo} * interval '1 minute'
    where key in (select 'mail ' || id from mails)`);
}

/** Requeues a mail that is being sent, as if its process had died six minutes ago. */
async function requeueAbandoned(id: MailId): Promise<void> {
  const attemptedAt = new Date(world.clock().getTime() - 6 * 60_000);
  await db().update(mails).set({ attemptedAt }).where(eq(mails.id, id));
  expect(await requeueStaleMails(world.job)).toBe(1);
}

const isIn = async (state: string, count: number) =>
  (await outbox()).filter((mail) => mail.state === state).length === count;
const operator = () => ({ ...world.job, actor: { kind: "operator", name: "root" }, entrypoint: "command" }) as const;

test("an email is sent once by two processes, with the headers its client needs", async () => {
  await db().update(users).set({ email: "jörg+ads@example.com" }).where(eq(users.email, "publisher@example.com"));
  startWorker();
  startWorker();
  for (let count = 0; count < 5; count += 1) await world.aLaunchedCampaign();
  await until(() => isIn("sent", 10));
  expect(catcher.caught).toHaveLength(10);
  expect(new Set(catcher.caught.map(({ messageId }) => messageId)).size).toBe(10);
  const toPublisher = catcher.caught.filter(({ to }) => to.includes("jörg+ads@example.com"));
  expect(toPublisher).toHaveLength(5);
  expect(toPublisher[0]?.from).toBe("mail@endcap.example");
  expect(toPublisher[0]?.raw).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(toPublisher[0]?.raw).toMatch(/^From: Endcap <mail@endcap.example>$/m);
  expect(toPublisher[0]?.raw).toMatch(/Content-Type: text\/plain[\s\S]+Content-Type: text\/html/);
  await db().update(users).set({ email: "publisher@example.com" }).where(eq(users.email, "jörg+ads@example.com"));
});

test("each email has a return path of its own, which names it", async () => {
  await db().delete(mails);
  vi.spyOn(environment, "env").mockReturnValue({ ...env(), mailReturnPath: "bounces@mail.example.com" });
  await world.aLaunchedCampaign();
  startWorker();
  await until(() => isIn("sent", 2));
  const sent = (await outbox()).map(({ id, address }) => [id, address]);
  expect(catcher.caught.map(({ from, to }) => [findReturnPath(from), to[0]]).sort()).toEqual(sent.sort());
  expect(catcher.caught[0]?.raw).toMatch(/^From: Endcap <mail@endcap.example>$/m);
  vi.restoreAllMocks();
});

test("a server that is busy, or disconnects after receiving everything, is retried with the same Message-ID", async () => {
  await db().delete(mails);
  catcher.mood.busy = 1;
  catcher.mood.breaks = 1;
  await world.aLaunchedCampaign();
  startWorker();
  await until(() => isIn("sent", 2));
  const ids = catcher.caught.map(({ messageId }) => messageId);
  expect(ids).toHaveLength(3);
  expect(new Set(ids).size).toBe(2);
});

test("a rejected email is parked, the others are sent, and an operator resends it", async () => {
  await db().delete(mails);
  catcher.mood.refused = { recipients: /^publisher@/, at: "RCPT TO", reply: "550 5.7.1 Rejected by policy" };
  await world.aLaunchedCampaign();
  startWorker();
  await until(async () => (await isIn("failed", 1)) && (await isIn("sent", 1)));
  const parked = (await outbox()).find(({ state }) => state === "failed");
  expect(parked).toMatchObject({
    attempts: 1,
    lastError: "The mail server rejected the email (550)",
    feedback: null,
  });
  catcher.mood.refused = undefined;
  expect(await retryMails(operator(), parked?.id)).toBe(1);
  expect(await retryMails(operator(), parked?.id)).toBe(0);
  await until(() => isIn("sent", 2));
});

test("an address that the mail server rejects gets no further email, as after a bounce, and the others are sent", async () => {
  await db().delete(mails);
  catcher.mood.refused = { recipients: /^publisher@/, at: "RCPT TO", reply: "550 5.1.1 No such user" };
  const bounces = vi.fn();
  observers().onBounce = bounces;
  onTestFinished(() => void delete observers().onBounce);
  await world.aLaunchedCampaign();
  startWorker();
  await until(async () => (await isIn("suppressed", 1)) && (await isIn("sent", 1)));
  const rejected = (await outbox()).find(({ state }) => state === "suppressed");
  expect(rejected).toMatchObject({
    attempts: 1,
    lastError: "The mail server rejected the address (550 5.1.1)",
    feedback: "bounce 5.1.1",
  });
  expect(bounces).toHaveBeenCalledTimes(1);
  expect(await db().select().from(mailSuppressions)).toMatchObject([
    { address: "publisher@example.com", reason: "bounce", status: "5.1.1", liftedAt: null },
  ]);
  catcher.mood.refused = undefined;
  await world.aLaunchedCampaign();
  await until(async () => (await isIn("suppressed", 2)) && (await isIn("sent", 2)));
  expect((await outbox()).find(({ id, state }) => state === "suppressed" && id !== rejected?.id)).toMatchObject({
    lastError: "Held back: the address does not work",
  });
  await db().delete(mailSuppressions);
});

test.each([
  ["RCPT TO", "550 No such user", { status: null }],
  ["RCPT TO", "553 Mailbox name not allowed", { status: null }],
  ["RCPT TO", "550 5.4.1 Recipient address rejected", { status: "5.4.1" }],
  ["DATA", "550 5.1.1 No such user", { status: "5.1.1" }],
  // About our right to send through this server, the sender, the text, or for now.
  ["RCPT TO", "550 relay not permitted", undefined],
  ["RCPT TO", "554 5.7.1 Relay access denied", undefined],
  ["RCPT TO", "552 5.2.2 Mailbox full", undefined],
  ["MAIL FROM", "550 Sender unknown", undefined],
  ["DATA", "550 This looks like spam", undefined],
  ["RCPT TO", "450 4.2.1 Try again in five minutes", undefined],
] as const)("the reply to %s: %s", async (at, reply, rejectedAddress) => {
  expect(await failureOf(at, reply)).toMatchObject({
    name: "MailError",
    isFinal: reply.startsWith("5"),
    rejectedAddress,
  });
});

test.each([
  ["CONN", "554 No SMTP service here"],
  ["MAIL FROM", "503 5.5.1 Bad sequence of commands"],
  ["MAIL FROM", "530 5.7.0 Must issue a STARTTLS command first"],
] as const)("a reply about the connection may pass: to %s, %s", async (at, reply) => {
  expect(await failureOf(at, reply)).toMatchObject({
    message: `The mail server rejected the connection (${reply.slice(0, 3)})`,
    isFinal: false,
    rejectedAddress: undefined,
  });
});

/** Sends an email that is refused, and returns the error. */
async function failureOf(at: "CONN" | "MAIL FROM" | "RCPT TO" | "DATA", reply: string): Promise<unknown> {
  catcher.mood.refused = { recipients: /^/, at, reply };
  onTestFinished(() => {
    catcher.mood.refused = undefined;
  });
  const transport = openMailTransport({ smtpUrl: catcher.url, mailFrom: "mail@endcap.example" });
  onTestFinished(() => transport?.close());
  const to = { name: "Jo", address: "jo@example.com" };
  const mail = { messageId: "<a@b>", to, subject: "", html: "", text: "", unsubscribe: undefined };
  return transport?.send(mail).catch((error: unknown) => error);
}

test("while the server is unreachable emails wait with the reason; one whose process died while sending is resent", async () => {
  await db().delete(mails);
  const closed = await new Promise<string>((done) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => done(`smtp://127.0.0.1:${typeof address === "object" ? address?.port : 0}`));
    });
  });
  await world.aLaunchedCampaign();
  startWorker(closed);
  await until(async () => (await outbox()).every(({ lastError }) => lastError === "The mail server did not respond"));
  for (const stop of stops.splice(0)) await stop();
  expect(await isIn("waiting", 2)).toBe(true);
  await lockJobs({ minutesAgo: 6 });
  await db().update(mails).set({ state: "sending", attemptedAt: world.clock() });
  expect(await requeueStaleMails(world.job)).toBe(0);
  await db()
    .update(mails)
    .set({ attemptedAt: new Date(world.clock().getTime() - 6 * 60_000) });
  expect(await requeueStaleMails(world.job)).toBe(2);
  startWorker();
  await until(() => isIn("sent", 2));
});

test("an email is tried for a day while the mail server does not respond", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  const [{ id } = expect.fail("no mail")] = await outbox();
  const send = () => Promise.reject(new MailError("The mail server did not respond", { isFinal: false }));
  let waitedSeconds = 0;
  for (let attempt = 1; (await outbox()).find((mail) => mail.id === id)?.state !== "failed"; attempt += 1) {
    const delivery = deliverMail(world.job, { id, transport: { send, close: () => undefined } });
    const isParked = await delivery.then(
      () => true,
      () => false,
    );
    // The pause of graphile-worker after a failed attempt.
    if (!isParked) waitedSeconds += Math.exp(Math.min(10, attempt));
  }
  expect(waitedSeconds).toBeGreaterThan(24 * 3_600);
  expect(waitedSeconds).toBeLessThan(36 * 3_600);
});

test("an email whose process died before it began to send is sent five minutes later", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  await lockJobs({ minutesAgo: 4 });
  expect(await requeueStaleMails(world.job)).toBe(0);
  await lockJobs({ minutesAgo: 6 });
  expect(await requeueStaleMails(world.job)).toBe(2);
  expect(await requeueStaleMails(world.job)).toBe(0);
  startWorker();
  await until(() => isIn("sent", 2));
  expect(catcher.caught).toHaveLength(2);
});

test("an email whose process died at its last attempt is parked for an operator", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  const attemptedAt = new Date(world.clock().getTime() - 6 * 60_000);
  await db().update(mails).set({ state: "sending", attempts: sendMailTask.attempts, attemptedAt });
  expect(await requeueStaleMails(world.job)).toBe(2);
  expect(await isIn("failed", 2)).toBe(true);
  expect(await retryMails(operator())).toBe(2);
  startWorker();
  await until(() => isIn("sent", 2));
});

test("an email still waits for its attempts when its job has used up more of them: it is queued again", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  const spendAttempts = (attempts: number) =>
    db.owner().execute(sql`
      update graphile_worker._private_jobs set attempts = ${attempts}::int, last_error = 'no connection'
      where key in (select 'mail ' || id from mails)`);
  await spendAttempts(sendMailTask.attempts - 1);
  expect(await requeueStaleMails(world.job)).toBe(0);
  await spendAttempts(sendMailTask.attempts);
  await lockJobs({ minutesAgo: 1 });
  expect(await requeueStaleMails(world.job)).toBe(0);
  await db.owner().execute(sql`update graphile_worker._private_jobs set locked_by = null, locked_at = null`);
  expect(await requeueStaleMails(world.job)).toBe(2);
  expect(await requeueStaleMails(world.job)).toBe(0);
  startWorker();
  await until(() => isIn("sent", 2));
  expect(catcher.caught).toHaveLength(2);
});

test("an email that was sent while the database did not respond is recorded when it does, and not sent again", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  const [mail] = await outbox();
  let unlocked = Promise.resolve();
  const sent: string[] = [];
  const send = async ({ messageId }: OutgoingMail) => {
    sent.push(messageId);
    await new Promise<void>((locked) => {
      unlocked = db.owner().transaction(async (tx) => {
        await tx.execute(sql`lock table mails in access exclusive mode`);
        locked();
        await sleep(3_000);
      });
    });
  };
  await deliverMail(world.job, { id: mail?.id ?? expect.fail("no mail"), transport: { send, close: () => undefined } });
  await unlocked;
  expect((await outbox()).find(({ id }) => id === mail?.id)).toMatchObject({ state: "sent", attempts: 1 });
  expect(await requeueStaleMails({ ...world.job, clock: () => new Date(world.clock().getTime() + 3_600_000) })).toBe(0);
  expect(sent).toHaveLength(1);
});

test("an attempt that was taken for abandoned neither requeues the email when it fails nor keeps it from being recorded as sent", async () => {
  await db().delete(mails);
  await world.aLaunchedCampaign();
  const [{ id } = expect.fail("no mail")] = await outbox();
  const transport = (send: () => Promise<void>) => ({ send, close: () => undefined });
  let finishSecond = () => {};
  let second = Promise.resolve();
  const first = deliverMail(world.job, {
    id,
    transport: transport(async () => {
      await requeueAbandoned(id);
      await new Promise<void>((isSending) => {
        second = deliverMail(world.job, {
          id,
          transport: transport(() => {
            isSending();
            return new Promise((done) => {
              finishSecond = done;
            });
          }),
        });
      });
      throw new MailError("The mail server did not respond", { isFinal: false });
    }),
  });
  await expect(first).rejects.toThrow("did not respond");
  finishSecond();
  await second;
  expect((await outbox()).find((mail) => mail.id === id)).toMatchObject({ state: "sent", attempts: 2 });
});

test("a report that took longer to create than a claim is valid is sent once", async () => {
  await db().delete(mails);
  const accountId = world.accountId("northwind");
  const [{ userId } = expect.fail("no user")] = await db()
    .select({ userId: users.id })
    .from(users)
    .where(eq(users.accountId, accountId));
  const about = { accountId, subjectId: accountId, recipients: [userId] };
  await notifyAccounts(world.job, [{ event: "report_ready", key: "slow report", ...about }]);
  const [{ id } = expect.fail("no mail")] = await outbox();
  const sent: string[] = [];
  const transport = {
    send: async ({ messageId }: OutgoingMail) => void sent.push(messageId),
    close: () => undefined,
  };
  const parts = { figures: [], file: undefined, filePath: "/reports" } as const;
  vi.spyOn(reportParts, "createReportParts")
    .mockImplementationOnce(async () => {
      await requeueAbandoned(id);
      await deliverMail(world.job, { id, transport });
      return { ...parts, figures: [] };
    })
    .mockResolvedValueOnce({ ...parts, figures: [] });
  await expect(deliverMail(world.job, { id, transport })).rejects.toThrow("Another worker");
  expect(sent).toHaveLength(1);
  expect(await outbox()).toMatchObject([{ id, state: "sent", attempts: 2 }]);
});

test("an unresponsive server times out, and gets the email later", async () => {
  await db().delete(mails);
  catcher.mood.silent = "before";
  await world.aLaunchedCampaign();
  startWorker(catcher.url, 200);
  await until(async () => (await outbox()).every(({ lastError }) => lastError === "The mail server did not respond"));
  catcher.mood.silent = "never";
  await until(() => isIn("sent", 2));
  expect(catcher.caught).toHaveLength(2);
});

test("names that contain headers stay names, and an optional email has an unsubscribe link", async () => {
  await db().delete(mails);
  const name = 'Jo"\r\nBcc: all@example.com\r\nX: <b@example.com>, "';
  const [before] = await db().select().from(users).where(eq(users.email, "publisher@example.com"));
  await db().update(users).set({ name }).where(eq(users.email, "publisher@example.com"));
  await world.aLaunchedCampaign({ changes: { name: "Sale\u2028Bcc: all@example.com" } });
  startWorker();
  await until(() => isIn("sent", 2));
  const raw = catcher.caught.find(({ to }) => to.includes("publisher@example.com"))?.raw ?? "";
  const head = raw.slice(0, raw.indexOf("\r\n\r\n"));
  expect(head).not.toMatch(/^(Bcc|X):/im);
  expect(head).toMatch(/^List-Unsubscribe: <http:\/\/[^\s>]+\/unsubscribe\?token=[\w.%-]+>$/m);
  expect(head).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(catcher.caught.flatMap(({ to }) => to).sort()).toEqual(["advertiser@example.com", "publisher@example.com"]);
  await db()
    .update(users)
    .set({ name: before?.name ?? "" })
    .where(eq(users.email, "publisher@example.com"));
});

test("without a mail server, and for the demo accounts, emails are only stored", async () => {
  await db().delete(mails);
  await db()
    .update(accounts)
    .set({ isDemo: true })
    .where(eq(accounts.id, world.accountId("harbor")));
  await world.aLaunchedCampaign();
  startWorker();
  await until(async () => (await isIn("sent", 1)) && (await isIn("suppressed", 1)));
  for (const stop of stops.splice(0)) await stop();
  await world.aLaunchedCampaign();
  startWorker("");
  await until(() => isIn("suppressed", 3));
  expect(catcher.caught).toHaveLength(1);
});
