import { EventEmitter, once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger, runMigrations, runTaskList, type TaskList, type WorkerEvents } from "graphile-worker";
import { z } from "zod";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { idSchema, type MailId, type WebhookDeliveryId } from "#app/domain/ids.ts";
import { sendMailTask } from "#app/domain/notifications/send-mail-task.ts";
import { type DeliveryOptions, deliverWebhook } from "#app/domain/webhooks/deliver-webhook.server.ts";
import { sendWebhookTask } from "#app/domain/webhooks/webhook.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import { MailError, type MailTransport, openMailTransport } from "#app/mail/mail-transport.server.ts";
import { traced } from "#app/observability/observers.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { type Database, withQueryLabel } from "#db/client.server.ts";
import { openWorkerPool } from "#db/worker-pool.server.ts";
import type { OnRun } from "./on-run.ts";

type WorkerContext = {
  url: string;
  db: Database;
  clock: () => Date;
  transport?: MailTransport | undefined;
  /** Options of webhook delivery. */
  sending?: DeliveryOptions | undefined;
  onRun?: OnRun | undefined;
  /** After this many milliseconds without a response all connections are replaced. */
  maxSilenceMs?: number;
};

const mailPayload = z.object({ id: idSchema<MailId>() });
const webhookPayload = z.object({ id: idSchema<WebhookDeliveryId>() });
const concurrency = 4;
const again = 5_000;

export type TaskWorker = {
  /** Waits for running tasks. */
  stop: () => Promise<void>;
  /** The time in milliseconds for which it has not reached the database; 0 while it does. */
  downForMs: () => number;
};

/**
 * Runs the tasks that domain functions enqueue in their transactions (graphile-worker): immediately on notification,
 * each by one process. Restarts after a database outage, also one in which connections only fall silent.
 */
export function startTaskWorker({
  url,
  db,
  clock,
  transport = openMailTransport(),
  sending,
  onRun,
  maxSilenceMs = 30_000,
}: WorkerContext): TaskWorker {
  const ctxOf = (name: string): Ctx<JobActor> => ({
    db: withQueryLabel(db, { job: name }),
    clock,
    actor: { kind: "job", name },
    entrypoint: "job",
    report,
  });
  const observed = (job: string, work: (payload: unknown) => Promise<void>) => async (payload: unknown) => {
    const begin = performance.now();
    let hasFailed = true;
    try {
      await traced({ name: `task ${job}` }, () => work(payload));
      hasFailed = false;
    } finally {
      onRun?.({ job, seconds: (performance.now() - begin) / 1_000, result: hasFailed ? "failure" : "success" });
    }
  };
  const taskList: TaskList = {
    [sendMailTask.name]: observed(sendMailTask.name, async (payload) => {
      await deliverMail(ctxOf(sendMailTask.name), { ...mailPayload.parse(payload), transport });
    }),
    [sendWebhookTask.name]: observed(sendWebhookTask.name, async (payload) => {
      await deliverWebhook(ctxOf(sendWebhookTask.name), { ...webhookPayload.parse(payload), sending });
    }),
  };
  const stopping = new AbortController();
  const requests = watchRequests();
  /** Not `run`: its unused schedule leaves a rejection unhandled when the database fails at the start. */
  const runTasks = async () => {
    const { pool: pgPool, disconnect } = await openWorkerPool(url, { max: 10 });
    const watch = setInterval(() => {
      if (requests.unansweredForMs() > maxSilenceMs) disconnect();
    }, 1_000);
    try {
      // `migrateDatabase` has run them, so that there is nothing left that could take long.
      await requests.expectResponse(runMigrations({ pgPool, logger }));
      const { events, broken } = requests.observeRunner();
      const runner = runTaskList({ concurrency, logger, noHandleSignals: true, events }, taskList, pgPool);
      const ending = AbortSignal.any([stopping.signal, broken]);
      if (!ending.aborted) await Promise.race([once(ending, "abort"), runner.promise]);
      if (ending.aborted) await runner.gracefulShutdown();
      await runner.promise;
    } finally {
      await requests.expectResponse(pgPool.end()).catch(() => undefined);
      clearInterval(watch);
    }
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        await runTasks();
      } catch (error) {
        log.error("worker failed", { error });
      }
      requests.fail();
      await sleep(again, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
      transport?.close();
    },
    downForMs: requests.failingForMs,
  };
}

/** A request for a job takes milliseconds; one that takes this long has no response. */
const noResponseMs = 5_000;

/**
 * Watches the requests of one runner after another: for jobs, one every two seconds, and its reports of finished ones.
 * After it has connected, a runner goes on whatever happens to its connections.
 */
function watchRequests() {
  const asked = new Map<unknown, number>();
  let failingSince: number | undefined = performance.now();
  const fail = (since = performance.now()) => {
    failingSince ??= since;
  };

  /** Counts as a request until it ends. */
  async function expectResponse(request: Promise<void>): Promise<void> {
    asked.set(request, performance.now());
    await request.finally(() => asked.delete(request));
  }

  /** Returns a runner's events, and a signal that aborts when the runner has to be replaced. */
  function observeRunner(): { events: WorkerEvents; broken: AbortSignal } {
    const events: WorkerEvents = new EventEmitter();
    const broken = new AbortController();
    let knowsTasks = false;
    const ask = ({ worker }: { worker: unknown }) => void asked.set(worker, performance.now());
    const end = ({ worker }: { worker: unknown }) => void asked.delete(worker);
    const succeed = ({ worker }: { worker: unknown }) => {
      asked.delete(worker);
      failingSince = undefined;
      knowsTasks = true;
    };
    asked.clear();
    for (const event of ["worker:getJob:start", "job:success", "job:error"] as const) events.on(event, ask);
    for (const event of ["job:complete", "worker:fatalError"] as const) events.on(event, end);
    events.on("worker:getJob:empty", succeed);
    events.on("job:start", succeed);
    events.on("worker:getJob:error", ({ worker }) => {
      fail(asked.get(worker));
      asked.delete(worker);
      // A look-up of its tasks that failed is kept for good. (All of its workers then wait, and end without an error.)
      if (!knowsTasks) setImmediate(() => broken.abort());
    });
    // A worker that could not report the end of its task has ended, and is not replaced.
    events.on("worker:fatalError", () => broken.abort());
    return { events, broken: broken.signal };
  }

  /** Returns for how long a request has had no response; 0 if each has one. */
  function unansweredForMs(): number {
    const waiting = performance.now() - Math.min(...asked.values());
    return waiting > noResponseMs ? waiting : 0;
  }

  /** Returns for how long requests have failed, or have had no response; 0 while they succeed. */
  function failingForMs(): number {
    return Math.max(unansweredForMs(), failingSince === undefined ? 0 : performance.now() - failingSince);
  }

  return { observeRunner, expectResponse, fail, unansweredForMs, failingForMs };
}

/** graphile-worker's own lines contain each task's payload and error; these contain only allowed fields. */
const logger = new Logger(() => (level, _message, meta) => {
  if (level !== "error" && level !== "warning") return;
  const { error, job }: { error?: unknown; job?: unknown } = Object(meta);
  const known =
    error instanceof MailError ? { code: error.message } : { error: error instanceof Error ? error : undefined };
  log.warn("task failed", { ...taskOf(job), ...known });
});

const jobSchema = z.object({
  task_identifier: z.enum([sendMailTask.name, sendWebhookTask.name]),
  payload: mailPayload,
});

/** Returns the task's name and the id of its subject. */
function taskOf(job: unknown): { job?: string; mailId?: string; deliveryId?: string } {
  const read = jobSchema.safeParse(job);
  if (!read.success) return {};
  const { task_identifier: name, payload } = read.data;
  return { job: name, [name === sendMailTask.name ? "mailId" : "deliveryId"]: payload.id };
}
