import type { MailFeedbackKind } from "#app/domain/notifications/feedback/mail-feedback.ts";
import type { StaleReadSource } from "#db/replica/replica.server.ts";
import type { PoolIncident } from "#db/self-healing-pool.server.ts";
import type { Readiness } from "#server/health/readiness.ts";
import type { OnRun } from "#server/jobs/on-run.ts";

export type Program = "server" | "worker";

type ShedReason = "capacity" | "transfers" | "timeout";

/** Records what happens in this process, and renders it for Prometheus. */
export type Metrics = {
  requestStarted: () => void;
  /** `status` is a class such as `2xx`, `incomplete` or `aborted`. */
  requestEnded: (request: { route: string; method: string; status: string; seconds: number }) => void;
  requestShed: (reason: ShedReason) => void;
  queryEnded: (query: { seconds: number; isSlow: boolean }) => void;
  databaseIncident: (incident: PoolIncident) => void;
  /** A read that may be stale was answered. */
  staleRead: (source: StaleReadSource) => void;
  /** A mail server reported something about a sent mail. */
  mailFeedback: (kind: MailFeedbackKind) => void;
  jobEnded: OnRun;
  logLine: (level: "info" | "warn" | "error") => void;
  /** From now on the parts of `/readyz` are metrics too. */
  watchReadiness: (readiness: Readiness) => void;
  read: () => Promise<{ contentType: string; text: string }>;
};
