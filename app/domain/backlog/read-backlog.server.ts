import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Database } from "#db/client.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import {
  backups,
  channelActivations,
  channelAudiences,
  channelConnections,
  mailSuppressions,
  mails,
  payouts,
  topUps,
  webhookDeliveries,
} from "#db/schema/index.ts";
import { type ConnectableChannel, connectableChannels } from "../delivery/channels/connectable.ts";
import { sendMailTask } from "../notifications/send-mail-task.ts";
import { sendWebhookTask } from "../webhooks/webhook.ts";

/**
 * What waits in one queue or outbox: how many, `countLimit` at most, and the age of the oldest in seconds; 0 if none
 * waits.
 */
type Waiting = { count: number; oldestSeconds: number };

/** The queues of tasks and jobs whose work is due. */
const queueKinds = [
  sendMailTask.name,
  sendWebhookTask.name,
  "send_activations",
  "sync_audiences",
  "send_payouts",
  "finish_top_ups",
] as const;
const outboxKinds = ["mail", "webhook"] as const;

export type Backlog = {
  /** Due work, by its age since it was due. */
  queues: Record<(typeof queueKinds)[number], Waiting>;
  /**
   * What has not been sent yet: mails by their age since they were written, webhooks since their next attempt was due.
   */
  outboxes: Record<(typeof outboxKinds)[number], Waiting>;
  /** Mails that are no longer retried. */
  failedMails: number;
  /** Addresses that emails are held back from. */
  suppressedAddresses: number;
  /**
   * Whether the last request to a connected channel failed for the connection: its credentials, limits or availability.
   */
  failingChannels: Record<ConnectableChannel, boolean>;
  /** The age of the last backup that `npm run backup` made; undefined if it has made none. */
  lastBackupSeconds: number | undefined;
};

/** Counting stops here, so that a long queue costs no more than this. The oldest rows are counted first. */
export const countLimit = 10_000;

const backlogRow = z.object({
  kind: z.enum([...queueKinds, ...outboxKinds, "failed_mail", "suppressed_address", "backup", ...connectableChannels]),
  count: z.number(),
  oldestSeconds: z.number().nullable(),
});

/** Reads what waits, in one statement. Ages are by the database's clock. */
export async function readBacklog(ctx: { db: Database }): Promise<Backlog> {
  const rows = await queryRows(ctx.db, backlogRow, backlogQuery());
  const of = (kind: z.output<typeof backlogRow>["kind"]): Waiting => {
    const row = rows.find((one) => one.kind === kind);
    return { count: row?.count ?? 0, oldestSeconds: Math.max(0, row?.oldestSeconds ?? 0) };
  };
  return {
    queues: {
      send_mail: of("send_mail"),
      send_webhook: of("send_webhook"),
      send_activations: of("send_activations"),
      sync_audiences: of("sync_audiences"),
      send_payouts: of("send_payouts"),
      finish_top_ups: of("finish_top_ups"),
    },
    outboxes: { mail: of("mail"), webhook: of("webhook") },
    failedMails: of("failed_mail").count,
    suppressedAddresses: of("suppressed_address").count,
    failingChannels: { google: of("google").count > 0, meta: of("meta").count > 0 },
    lastBackupSeconds: of("backup").count > 0 ? of("backup").oldestSeconds : undefined,
  };
}

/** Returns the statement, which uses only indexes. */
export function backlogQuery(): SQL {
  const due = (kind: string, table: SQL) => part(kind, dueIn(table));
  const parts = [
    ...[sendMailTask.name, sendWebhookTask.name].map((task) => part(task, dueTasks(task))),
    due("send_activations", sql`${channelActivations}`),
    due("sync_audiences", sql`${channelAudiences}`),
    due("send_payouts", sql`${payouts}`),
    due("finish_top_ups", sql`${topUps}`),
    part("mail", sql`select created_at as since from ${mails} where state = 'waiting' order by id limit ${countLimit}`),
    part(
      "failed_mail",
      sql`select null::timestamptz as since from ${mails} where state = 'failed' limit ${countLimit}`,
    ),
    part(
      "suppressed_address",
      sql`select suppressed_at as since from ${mailSuppressions} where lifted_at is null limit ${countLimit}`,
    ),
    part("webhook", dueWebhooks),
    part("backup", sql`select taken_at as since from ${backups} order by taken_at desc limit 1`),
    ...connectableChannels.map((channel) => part(channel, failingConnection(channel))),
  ];
  return sql.join(parts, sql` union all `);
}

function part(kind: string, waiting: SQL): SQL {
  return sql`select ${kind}::text as "kind", count(*)::int as "count",
    extract(epoch from now() - min(since))::float8 as "oldestSeconds" from (${waiting}) waiting`;
}

function failingConnection(channel: ConnectableChannel): SQL {
  return sql`select checked_at as since from ${channelConnections} where channel = ${channel} and problem is not null`;
}

function dueIn(table: SQL): SQL {
  return sql`select due_at as since from ${table} where due_at <= now() order by due_at limit ${countLimit}`;
}

/**
 * The index is by priority and time. Tasks of one kind have the same priority, but for scheduled reports, after other
 * mails.
 */
function dueTasks(task: string): SQL {
  return sql`select run_at as since from graphile_worker._private_jobs
    where is_available = true and run_at <= now()
      and task_id = (select id from graphile_worker._private_tasks where identifier = ${task})
    order by priority, run_at limit ${countLimit}`;
}

const dueWebhooks = sql`select next_try_at as since from ${webhookDeliveries}
  where state = 'waiting' and next_try_at <= now() order by attempted_at limit ${countLimit}`;
