import { statfs } from "node:fs/promises";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { countUploads } from "#app/domain/audiences/files/upload-slots.server.ts";
import { countBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { Backlog } from "#app/domain/backlog/read-backlog.server.ts";
import { mailFeedbackKinds } from "#app/domain/notifications/feedback/mail-feedback.ts";
import { databaseUsage } from "#db/client.server.ts";
import { replicaStatus, staleReadSources } from "#db/replica/replica.server.ts";
import type { Readiness } from "#server/health/readiness.ts";
import { runResults } from "#server/jobs/on-run.ts";
import type { Metrics, Program } from "./recorder.ts";

type MetricsOptions = {
  program: Program;
  build: { version: string; migrations: number };
  dataDir: string;
  /** Reads what waits in the database; rejects if that takes too long. */
  readBacklog: () => Promise<Backlog>;
};

/** What the database waits for is read again after this long, in milliseconds, however many ask. */
const backlogReuseMs = 5_000;

/**
 * Creates the metrics of this process (docs/decisions/0089). Each has a bounded number of series: labels are route ids,
 * methods, status classes, names of jobs and kinds. What is in the database is the same in every process.
 */
export function openMetrics({ program, build, dataDir, readBacklog }: MetricsOptions): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = <Name extends string>(name: string, help: string, ...labelNames: Name[]) =>
    new Gauge({ name, help, labelNames, registers });
  const counter = <Name extends string>(name: string, help: string, ...labelNames: Name[]) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Name extends string>(name: string, help: string, buckets: number[], ...labelNames: Name[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });

  gauge("endcap_build_info", "The running version", "version", "program", "migrations")
    .labels(build.version, program, String(build.migrations))
    .set(1);
  const requests = counter(
    "endcap_http_requests_total",
    "Responses by route, method and status class; incomplete: the client disconnected before the end; aborted: its time was over while it was being sent",
    ...(["route", "method", "status"] as const),
  );
  const requestSeconds = histogram(
    "endcap_http_request_duration_seconds",
    "Time from a request's headers to the end of its response",
    [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    ...(["route", "method"] as const),
  );
  const running = gauge("endcap_http_requests_in_progress", "Requests without a complete response");
  const shed = counter("endcap_http_requests_shed_total", "Requests rejected because of overload, by reason", "reason");
  for (const reason of ["capacity", "transfers", "timeout"] as const) shed.labels(reason).inc(0);
  const querySeconds = histogram(
    "endcap_database_query_duration_seconds",
    "Time of SQL statements, without their wait for a connection",
    [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10],
  );
  const slowQueries = counter("endcap_database_slow_queries_total", "SQL statements over SLOW_QUERY_MS");
  const incidents = counter("endcap_database_incidents_total", "Recoveries of the connection pool", "incident");
  for (const incident of ["queries_canceled", "pool_replaced"] as const) incidents.labels(incident).inc(0);
  const staleReads = counter(
    "endcap_stale_reads_total",
    "Reads that may be stale, by what answered them and why; none is counted without a replica",
    "source",
  );
  for (const source of staleReadSources) staleReads.labels(source).inc(0);
  const jobRuns = counter(
    "endcap_job_runs_total",
    "Runs of jobs and tasks; postponed: others had locked what it needs",
    ...(["name", "result"] as const),
  );
  const jobSeconds = histogram(
    "endcap_job_duration_seconds",
    "Time of runs of jobs and tasks",
    [0.01, 0.1, 1, 10, 60, 600],
    "name",
  );
  const jobSuccess = gauge("endcap_job_last_success_timestamp_seconds", "When a job last succeeded here", "name");
  const logLines = counter("endcap_log_lines_total", "Log lines, by level, those below LOG_LEVEL included", "level");
  for (const level of ["info", "warn", "error"] as const) logLines.labels(level).inc(0);

  const mailReports = counter(
    "endcap_mail_feedback_total",
    "Reports about sent emails, by kind; repeated ones count once",
    "kind",
  );
  for (const kind of mailFeedbackKinds) mailReports.labels(kind).inc(0);

  const poolSize = gauge("endcap_database_pool_size", "Connections that the pool may have");
  const poolInUse = gauge("endcap_database_pool_in_use", "Connections that run a statement or a transaction");
  const poolWaiting = gauge("endcap_database_pool_waiting", "Statements and transactions that wait for a connection");
  const replicaLag = gauge(
    "endcap_replica_lag_seconds",
    "Age of the replica's rows, at most; missing while it is unknown, 0 without a replica",
  );
  const uploads = gauge("endcap_uploads_in_progress", "Uploads that are read or merged in this process");
  const uploadsWaiting = gauge("endcap_uploads_waiting", "Uploads that wait to be read in this process");
  const background = gauge("endcap_background_tasks", "Work that goes on after its request's response");
  const parts = gauge("endcap_part_up", "Whether a part of /readyz works", "part");
  const free = gauge("endcap_data_dir_free_bytes", "Free space of DATA_DIR's file system");
  const size = gauge("endcap_data_dir_size_bytes", "Size of DATA_DIR's file system");
  const databaseUp = gauge("endcap_database_up", "Whether the database responded to the last scrape in time");
  const queueDue = gauge(
    "endcap_queue_due",
    "Work that is due, 10000 at most, by kind; the same in each process",
    "kind",
  );
  const queueAge = gauge("endcap_queue_oldest_seconds", "Time since the oldest work was due", "kind");
  const outbox = gauge(
    "endcap_outbox_waiting",
    "What is not sent yet, 10000 at most; the same in each process",
    "kind",
  );
  const outboxAge = gauge("endcap_outbox_oldest_seconds", "Age of the oldest that is not sent yet", "kind");
  const failedMails = gauge("endcap_outbox_failed_mails", "Mails that are no longer retried, 10000 at most");

  const suppressed = gauge(
    "endcap_mail_suppressed_addresses",
    "Addresses that emails are held back from, 10000 at most",
  );
  const channelFailing = gauge(
    "endcap_channel_failing",
    "Whether the last request to a connected channel failed for the connection; the same in each process",
    "channel",
  );
  const backupAge = gauge(
    "endcap_backup_age_seconds",
    "Age of the last backup of npm run backup, missing if there is none; the same in each process",
  );

  let readiness: Readiness | undefined;
  let last: { at: number; backlog: Promise<Backlog> } | undefined;

  async function readDatabase(): Promise<void> {
    if (!last || performance.now() - last.at > backlogReuseMs) last = { at: performance.now(), backlog: readBacklog() };
    try {
      const { queues, outboxes, failedMails: failed, ...others } = await last.backlog;
      for (const [kind, { count, oldestSeconds }] of Object.entries(queues)) {
        queueDue.labels(kind).set(count);
        queueAge.labels(kind).set(oldestSeconds);
      }
      for (const [kind, { count, oldestSeconds }] of Object.entries(outboxes)) {
        outbox.labels(kind).set(count);
        outboxAge.labels(kind).set(oldestSeconds);
      }
      for (const [channel, fails] of Object.entries(others.failingChannels))
        channelFailing.labels(channel).set(fails ? 1 : 0);
      failedMails.set(failed);
      suppressed.set(others.suppressedAddresses);
      if (others.lastBackupSeconds === undefined) backupAge.remove();
      else backupAge.set(others.lastBackupSeconds);
      databaseUp.set(1);
    } catch {
      // Nothing is known now, and an old figure would look like a present one.
      for (const unknown of [queueDue, queueAge, outbox, outboxAge, channelFailing]) unknown.reset();
      for (const unknown of [failedMails, suppressed, backupAge]) unknown.remove();
      databaseUp.set(0);
    }
  }

  async function readParts(): Promise<void> {
    const report = await readiness?.report();
    for (const [part, { status }] of Object.entries(report?.parts ?? {}))
      parts.labels(part).set(status === "ok" ? 1 : 0);
  }

  async function readDisk(): Promise<void> {
    const found = await statfs(dataDir).catch(() => undefined);
    if (!found) return;
    free.set(found.bavail * found.bsize);
    size.set(found.blocks * found.bsize);
  }

  function readProcess(): void {
    const usage = databaseUsage();
    poolSize.set(usage?.size ?? 0);
    poolInUse.set(usage?.inUse ?? 0);
    poolWaiting.set(usage?.waiting ?? 0);
    const replica = replicaStatus();
    if (replica && replica.lagMs === undefined) replicaLag.remove();
    else replicaLag.set((replica?.lagMs ?? 0) / 1_000);
    const { running: read, waiting } = countUploads();
    uploads.set(read);
    uploadsWaiting.set(waiting);
    background.set(countBackgroundTasks());
  }

  return {
    requestStarted: () => running.inc(),
    requestEnded({ route, method, status, seconds }) {
      running.dec();
      requests.labels(route, method, status).inc();
      requestSeconds.labels(route, method).observe(seconds);
    },
    requestShed: (reason) => shed.labels(reason).inc(),
    queryEnded({ seconds, isSlow }) {
      querySeconds.observe(seconds);
      if (isSlow) slowQueries.inc();
    },
    staleRead: (source) => staleReads.labels(source).inc(),
    databaseIncident: (incident) => incidents.labels(incident).inc(),
    jobEnded({ job, seconds, result }) {
      // Each result has a sample from a job's first run on, so that increase() sees a first failure in a later run.
      for (const one of runResults) jobRuns.labels(job, one).inc(one === result ? 1 : 0);
      jobSeconds.labels(job).observe(seconds);
      if (result === "success") jobSuccess.labels(job).setToCurrentTime();
    },
    mailFeedback: (kind) => mailReports.labels(kind).inc(),
    logLine: (level) => logLines.labels(level).inc(),
    watchReadiness(watched) {
      readiness = watched;
    },
    async read() {
      readProcess();
      await Promise.all([readDatabase(), readParts(), readDisk()]);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}
