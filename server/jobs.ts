import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { forgetSignIns } from "#app/domain/accounts/forget-sign-ins.server.ts";
import { sweepUploads } from "#app/domain/audiences/fail-upload.server.ts";
import { refreshDueAudiences } from "#app/domain/audiences/refresh-due-audiences.server.ts";
import { takeDueSnapshots } from "#app/domain/audiences/snapshots/take-due-snapshots.server.ts";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { issueInvoices } from "#app/domain/billing/invoices/issue-invoices.server.ts";
import { forgetPaymentPages } from "#app/domain/billing/payments/forget-payment-pages.server.ts";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { startMonthlyPayouts } from "#app/domain/billing/payouts/start-monthly-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { finishDuePlanChanges } from "#app/domain/billing/subscription/finish-due-plan-changes.server.ts";
import { renewDueSubscriptions } from "#app/domain/billing/subscription/renew-due-subscriptions.server.ts";
import { finishDueTopUps } from "#app/domain/billing/wallet/finish-due-top-ups.server.ts";
import { refreshAllFunds } from "#app/domain/billing/wallet/refresh-funds.server.ts";
import { warnOfLowFunds } from "#app/domain/billing/wallet/warn-of-low-funds.server.ts";
import { announceStarts } from "#app/domain/campaigns/announce-starts.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { remindOfDecisions } from "#app/domain/campaigns/remind-of-decisions.server.ts";
import { sweepImports } from "#app/domain/catalog/imports/sweep-imports.server.ts";
import { syncDueStores } from "#app/domain/catalog/stores/sync-due-stores.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import { sendDueOrders } from "#app/domain/delivery/channels/send-due-orders.server.ts";
import { syncDueAudiences } from "#app/domain/delivery/channels/sync-due-audiences.server.ts";
import { collectDueReports } from "#app/domain/delivery/collect-due-reports.server.ts";
import { forgetIdempotencyKeys } from "#app/domain/idempotency/forget-idempotency-keys.server.ts";
import { gatherDigests } from "#app/domain/notifications/gather-digests.server.ts";
import { sweepMails } from "#app/domain/notifications/take-mail.server.ts";
import { sweepWebhookDeliveries } from "#app/domain/webhooks/take-webhook-delivery.server.ts";
import { log, report } from "#app/web/log.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";

/**
 * Work without a request that nobody queues (docs/decisions/0049). Every process runs it, so it must do nothing when another
 * has just done it. `run` gives the number of things done.
 */
type Job = { name: string; everySeconds: number; run: (ctx: Ctx<JobActor>) => Promise<number> };

type JobContext = { db: Database; clock: () => Date };

/** A job may wait longer for the database than a person. */
const jobDeadlineMs = 60_000;

export const jobs: Job[] = [
  { name: "complete_campaigns", everySeconds: 60, run: completeEndedCampaigns },
  { name: "send_orders", everySeconds: 30, run: (ctx) => sendDueOrders(ctx) },
  { name: "sync_audiences", everySeconds: 10, run: (ctx) => syncDueAudiences(ctx) },
  { name: "collect_reports", everySeconds: 60, run: collectDueReports },
  { name: "refresh_audiences", everySeconds: 60, run: refreshDueAudiences },
  { name: "take_snapshots", everySeconds: 60, run: takeDueSnapshots },
  { name: "settle_delivery", everySeconds: 3_600, run: settleDelivery },
  { name: "finish_top_ups", everySeconds: 30, run: finishDueTopUps },
  { name: "warn_of_low_funds", everySeconds: 600, run: warnOfLowFunds },
  { name: "announce_starts", everySeconds: 600, run: announceStarts },
  { name: "remind_of_decisions", everySeconds: 600, run: remindOfDecisions },
  { name: "finish_plan_changes", everySeconds: 30, run: finishDuePlanChanges },
  { name: "renew_subscriptions", everySeconds: 60, run: renewDueSubscriptions },
  { name: "refresh_funds", everySeconds: 30, run: refreshAllFunds },
  { name: "issue_invoices", everySeconds: 600, run: issueInvoices },
  { name: "start_monthly_payouts", everySeconds: 600, run: startMonthlyPayouts },
  { name: "send_payouts", everySeconds: 15, run: (ctx) => sendDuePayouts(ctx, undefined, tellOfPayout) },
  { name: "sweep_uploads", everySeconds: 60, run: sweepUploads },
  { name: "sweep_creatives", everySeconds: 6 * 3_600, run: sweepCreatives },
  { name: "sync_stores", everySeconds: 60, run: syncDueStores },
  { name: "sweep_imports", everySeconds: 60, run: sweepImports },
  { name: "gather_digests", everySeconds: 60, run: gatherDigests },
  { name: "sweep_mails", everySeconds: 60, run: sweepMails },
  { name: "sweep_webhooks", everySeconds: 60, run: sweepWebhookDeliveries },
  { name: "forget_idempotency_keys", everySeconds: 3_600, run: forgetIdempotencyKeys },
  { name: "forget_payment_pages", everySeconds: 3_600, run: forgetPaymentPages },
  { name: "seal_audit_entries", everySeconds: 60, run: sealAuditEntries },
  { name: "forget_sign_ins", everySeconds: 3_600, run: forgetSignIns },
];

/** By whose payout it is; `code` is the provider's word. */
function tellOfPayout({ publisherId, problem }: { publisherId: string; problem: string }): void {
  log.error("a payout waits", { accountId: publisherId, code: problem });
}

/** Runs each job at once and then every so often, never twice at a time. Returns the stop, which lets a run finish. */
export function runJobs(list: Job[], context: JobContext): () => Promise<void> {
  const stopping = new AbortController();
  // Each job waits on it; ten is where Node suspects a leak.
  setMaxListeners(list.length + 1, stopping.signal);
  const loops = list.map((job) => loop(job, context, stopping.signal));
  return async () => {
    stopping.abort();
    await Promise.all(loops);
  };
}

async function loop(job: Job, context: JobContext, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    try {
      const ctx = { ...context, actor: { kind: "job", name: job.name }, door: "job", report } as const;
      const count = await withDeadline(jobDeadlineMs, () => job.run(ctx));
      if (count > 0) log.info("job", { job: job.name, count });
    } catch (error) {
      log.error("job failed", { job: job.name, error });
    }
    await pause(job.everySeconds * 1_000, stopping);
  }
}

/** Ends early when the server stops. (The sleep takes its listener off the signal again; one for each round would pile up.) */
async function pause(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal: stopping }).catch(() => undefined);
}
