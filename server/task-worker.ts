import { setTimeout as sleep } from "node:timers/promises";
import { Logger, type Runner, run, type TaskList } from "graphile-worker";
import { z } from "zod";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { idSchema, type MailId, type WebhookDeliveryId } from "#app/domain/ids.ts";
import { sendMailTask } from "#app/domain/notifications/send-mail-task.ts";
import { deliverWebhook, type Sending } from "#app/domain/webhooks/deliver-webhook.server.ts";
import { sendWebhookTask } from "#app/domain/webhooks/webhook.ts";
import { deliverMail } from "#app/mail/deliver-mail.server.ts";
import { MailError, type MailTransport, openMailTransport } from "#app/mail/mail-transport.server.ts";
import { log, report } from "#app/web/log.server.ts";
import type { Database } from "#db/client.server.ts";

type WorkerContext = {
  url: string;
  db: Database;
  clock: () => Date;
  transport?: MailTransport | undefined;
  /** How webhooks are sent. */
  sending?: Sending | undefined;
};

const mailPayload = z.object({ id: idSchema<MailId>() });
const webhookPayload = z.object({ id: idSchema<WebhookDeliveryId>() });
const concurrency = 4;
const again = 5_000;

/**
 * Does the jobs that verbs queue in their transactions (graphile-worker): at once when told of one, each by one process. When the
 * database goes away it begins again. Returns the stop, which lets jobs under way finish.
 */
export function runTaskWorker({
  url,
  db,
  clock,
  transport = openMailTransport(),
  sending,
}: WorkerContext): () => Promise<void> {
  const ctxOf = (name: string): Ctx<JobActor> => ({ db, clock, actor: { kind: "job", name }, door: "job", report });
  const taskList: TaskList = {
    [sendMailTask.name]: async (payload) => {
      await deliverMail(ctxOf(sendMailTask.name), { ...mailPayload.parse(payload), transport });
    },
    [sendWebhookTask.name]: async (payload) => {
      await deliverWebhook(ctxOf(sendWebhookTask.name), { ...webhookPayload.parse(payload), sending });
    },
  };
  const stopping = new AbortController();
  let runner: Runner | undefined;
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      try {
        runner = await run({ connectionString: url, taskList, concurrency, logger, noHandleSignals: true });
        if (stopping.signal.aborted) await runner.stop();
        await runner.promise;
      } catch (error) {
        log.error("worker failed", { error });
      }
      runner = undefined;
      await sleep(again, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await runner?.stop().catch(() => undefined);
    await loop;
    transport?.close();
  };
}

/** Its own lines say each job's payload and error; ours what may be known. */
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

/** Which job it was, and of what. */
function taskOf(job: unknown): { job?: string; mailId?: string; deliveryId?: string } {
  const read = jobSchema.safeParse(job);
  if (!read.success) return {};
  const { task_identifier: name, payload } = read.data;
  return { job: name, [name === sendMailTask.name ? "mailId" : "deliveryId"]: payload.id };
}
