import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { purgeExpiredSignIns } from "#app/domain/accounts/sign-in/purge-expired-sign-ins.server.ts";
import { refreshDueAudiences } from "#app/domain/audiences/integrations/refresh-due-audiences.server.ts";
import { deleteDroppedObjects, sweepObjects } from "#app/domain/audiences/members/stores/object-cleanup.server.ts";
import { mergeDueDeltas } from "#app/domain/audiences/merge-deltas.server.ts";
import { createDueSnapshots } from "#app/domain/audiences/snapshots/create-due-snapshots.server.ts";
import { sweepUploads } from "#app/domain/audiences/uploads/sweep-uploads.server.ts";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { checkLedgerDaily } from "#app/domain/billing/ledger/check-ledger-daily.server.ts";
import type { ClosedBalance } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { purgePaymentSetups } from "#app/domain/billing/payment-methods/purge-payment-setups.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { syncAllFundsHolds } from "#app/domain/billing/wallet/sync-funds-holds.server.ts";
import { warnOfLowFunds } from "#app/domain/billing/wallet/warn-of-low-funds.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { closeIdleEdits } from "#app/domain/campaigns/editing/close-idle-edits.server.ts";
import { notifyCampaignStarts } from "#app/domain/campaigns/notifications/notify-campaign-starts.server.ts";
import { sendDecisionReminders } from "#app/domain/campaigns/notifications/send-decision-reminders.server.ts";
import { purgeImportProblems, sweepImports } from "#app/domain/catalog/imports/sweep-imports.server.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { sweepCreatives, sweepIncomingFiles } from "#app/domain/creatives/sweep-creatives.server.ts";
import { syncDueAudiences } from "#app/domain/delivery/channels/audiences/sync-due-audiences.server.ts";
import { rescheduleByEligibility } from "#app/domain/delivery/channels/reschedule-by-eligibility.server.ts";
import { sendDueActivations } from "#app/domain/delivery/channels/send-due-activations.server.ts";
import { collectDueReports } from "#app/domain/delivery/collect-due-reports.server.ts";
import { moveCategorySums } from "#app/domain/delivery/move-category-sums.server.ts";
import { purgeIdempotencyKeys } from "#app/domain/idempotency/purge-idempotency-keys.server.ts";
import { createMonthPartitions } from "#app/domain/months/create-month-partitions.server.ts";
import { dropMailMonths } from "#app/domain/months/drop-mail-months.server.ts";
import { buildDigests } from "#app/domain/notifications/build-digests.server.ts";
import { requeueStaleMails } from "#app/domain/notifications/claim-mail.server.ts";
import { purgePersonalData } from "#app/domain/privacy/purge-personal-data.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { sendDueReports } from "#app/domain/reports/send-due-reports.server.ts";
import { markStorage } from "#app/domain/storage-owner.server.ts";
import { isLockTimeout } from "#app/domain/transaction.server.ts";
import { sweepWebhookDeliveries } from "#app/domain/webhooks/claim-webhook-delivery.server.ts";
import { deleteExpiredWebhookSecrets } from "#app/domain/webhooks/delete-expired-webhook-secrets.server.ts";
import { env } from "#app/env.server.ts";
import { traced } from "#app/observability/observers.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { type Database, withDeadline, withQueryLabel } from "#db/client.server.ts";
import type { OnRun, RunResult } from "./on-run.ts";

/**
 * A recurring job (docs/decisions/0049). Every process runs it, so it must do nothing if another process has just done
 * the work. `run` returns the number of items processed.
 */
type Job = { name: string; everySeconds: number; run: (ctx: Ctx<JobActor>) => Promise<number> };

type JobContext = { db: Database; clock: () => Date; onRun?: OnRun | undefined };

/** A job may wait longer for the database than a person. */
const jobDeadlineMs = 60_000;
/** How soon a job tries again what others had locked, however rarely it runs otherwise. */
const unlockSeconds = 60;

export const jobs: Job[] = [
  { name: "complete_campaigns", everySeconds: 60, run: completeEndedCampaigns },
  { name: "close_idle_edits", everySeconds: 60, run: closeIdleEdits },
  { name: "check_activations", everySeconds: 300, run: rescheduleByEligibility },
  { name: "send_activations", everySeconds: 30, run: (ctx) => sendDueActivations(ctx) },
  { name: "sync_audiences", everySeconds: 10, run: (ctx) => syncDueAudiences(ctx) },
  {
    name: "collect_reports",
    everySeconds: 60,
    run: (ctx) => collectDueReports(ctx, { isSimulated: env().simulatedDelivery }),
  },
  { name: "move_category_sums", everySeconds: 60, run: moveCategorySums },
  { name: "refresh_audiences", everySeconds: 60, run: refreshDueAudiences },
  { name: "merge_deltas", everySeconds: 60, run: mergeDueDeltas },
  { name: "mark_storage", everySeconds: 600, run: markStorage },
  { name: "delete_objects", everySeconds: 30, run: (ctx) => deleteDroppedObjects(ctx) },
  { name: "sweep_objects", everySeconds: 6 * 3_600, run: sweepObjects },
  { name: "take_snapshots", everySeconds: 60, run: createDueSnapshots },
  {
    name: "settle_delivery",
    everySeconds: 3_600,
    run: (ctx) => settleDelivery(ctx, { monthClosingDays: env().monthClosingDays, onClosedBalance: logClosedBalance }),
  },
  { name: "finish_top_ups", everySeconds: 30, run: finishDueTopUps },
  { name: "warn_of_low_funds", everySeconds: 600, run: warnOfLowFunds },
  { name: "announce_starts", everySeconds: 600, run: notifyCampaignStarts },
  { name: "remind_of_decisions", everySeconds: 600, run: sendDecisionReminders },
  { name: "finish_plan_changes", everySeconds: 30, run: finishDuePlanChanges },
  { name: "renew_subscriptions", everySeconds: 60, run: renewDueSubscriptions },
  { name: "sync_funds_holds", everySeconds: 30, run: syncAllFundsHolds },
  { name: "issue_invoices", everySeconds: 600, run: issueInvoices },
  { name: "check_ledger", everySeconds: 600, run: checkLedgerDaily },
  { name: "start_monthly_payouts", everySeconds: 600, run: startMonthlyPayouts },
  { name: "send_payouts", everySeconds: 15, run: (ctx) => sendDuePayouts(ctx, undefined, logHeldPayout) },
  { name: "sweep_uploads", everySeconds: 60, run: sweepUploads },
  { name: "sweep_creatives", everySeconds: 6 * 3_600, run: sweepCreatives },
  { name: "sync_stores", everySeconds: 60, run: syncDueStores },
  { name: "sweep_imports", everySeconds: 60, run: sweepImports },
  { name: "purge_import_problems", everySeconds: 3_600, run: purgeImportProblems },
  { name: "build_digests", everySeconds: 60, run: buildDigests },
  { name: "send_due_reports", everySeconds: 30, run: sendDueReports },
  { name: "sweep_mails", everySeconds: 60, run: requeueStaleMails },
  {
    name: "sweep_webhooks",
    everySeconds: 60,
    run: async (ctx) =>
      (await deleteExpiredWebhookSecrets(ctx)) +
      (await sweepWebhookDeliveries(ctx, { retentionDays: env().retentionDays.webhookDeliveries })),
  },
  { name: "run_erasures", everySeconds: 600, run: runDueErasures },
  {
    name: "purge_personal_data",
    everySeconds: 3_600,
    run: (ctx) => purgePersonalData(ctx, { days: env().retentionDays }),
  },
  { name: "create_month_partitions", everySeconds: 3_600, run: createMonthPartitions },
  {
    name: "drop_mail_months",
    everySeconds: 3_600,
    run: (ctx) => dropMailMonths(ctx, { retentionDays: env().retentionDays.notifications }),
  },
  { name: "purge_idempotency_keys", everySeconds: 3_600, run: purgeIdempotencyKeys },
  { name: "purge_payment_setups", everySeconds: 3_600, run: purgePaymentSetups },
  { name: "seal_audit_entries", everySeconds: 60, run: sealAuditEntries },
  { name: "purge_sign_ins", everySeconds: 3_600, run: purgeExpiredSignIns },
];

/** What a server does whose jobs run in another process, which does not see its folder of incoming files. */
export const serverJobs: Job[] = [{ name: "sweep_incoming", everySeconds: 6 * 3_600, run: sweepIncomingFiles }];

/** Logs a payout on hold, by publisher; `code` is the provider's error code. */
function logHeldPayout({ publisherId, problem }: { publisherId: string; problem: string }): void {
  log.error("payout pending", { accountId: publisherId, code: problem });
}

/** Logs that a closed account is owed money, which an operator has to send in another way. */
function logClosedBalance({ id, balance }: ClosedBalance): void {
  if (balance > 0) log.error("payout pending", { accountId: id, code: "balance_of_closed_account" });
}

/**
 * Runs each job at once and then at its interval, never twice at a time; after a minute at most if others had locked
 * what it needs. Returns a stop function: from its first call on no job starts another run, running jobs end after
 * their current step, and each call waits for them.
 */
export function startJobs(list: Job[], context: JobContext): () => Promise<void> {
  const stopping = new AbortController();
  // Each job adds a listener; Node warns of a leak above ten.
  setMaxListeners(list.length + 1, stopping.signal);
  const loops = list.map((job) => loop(job, context, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}

async function loop(job: Job, { db, clock, onRun }: JobContext, stopping: AbortSignal): Promise<void> {
  const actor = { kind: "job", name: job.name } as const;
  const labeled = {
    db: withQueryLabel(db, { job: job.name }),
    clock,
    actor,
    entrypoint: "job",
    report,
    stopping,
  } as const;
  const ctx = withDeadline(labeled, jobDeadlineMs);
  while (!stopping.aborted) {
    const begin = performance.now();
    let result: RunResult = "success";
    let nextSeconds = job.everySeconds;
    try {
      const count = await traced({ name: `job ${job.name}` }, () => job.run(ctx));
      if (count > 0) log.info("job", { job: job.name, count });
    } catch (error) {
      if (isLockTimeout(error)) {
        result = "postponed";
        nextSeconds = Math.min(nextSeconds, unlockSeconds);
        log.warn("job postponed", { job: job.name, error });
      } else {
        result = "failure";
        log.error("job failed", { job: job.name, error });
      }
    }
    onRun?.({ job: job.name, seconds: (performance.now() - begin) / 1_000, result });
    await pause(nextSeconds * 1_000, stopping);
  }
}

/**
 * Resolves early when the server stops. (The sleep removes its listener from the signal; otherwise one per round would
 * accumulate.)
 */
async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
}
