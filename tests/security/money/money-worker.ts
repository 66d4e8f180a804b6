import { createInterface } from "node:readline";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { jobs } from "#server/jobs/jobs.ts";

/**
 * A worker whose clock the test sets: `money-worker DATABASE_URL`. It prints `ready`; for each instant that it reads it
 * runs all money jobs, repeatedly while one causes another, and prints `done`.
 */
const names = [
  ...["settle_delivery", "finish_top_ups", "warn_of_low_funds", "finish_plan_changes", "renew_subscriptions"],
  ...["sync_funds_holds", "issue_invoices", "start_monthly_payouts", "send_payouts"],
];
const workerJobs = names.map((name) => {
  const job = jobs.find((one) => one.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  return job;
});
const [url = ""] = process.argv.slice(2);
const db = openDatabase({ url });
process.stdout.write("ready\n");
for await (const instant of createInterface({ input: process.stdin })) {
  const ctx = {
    db,
    clock: () => new Date(instant),
    actor: { kind: "job", name: "test" },
    entrypoint: "job",
    report: () => undefined,
  } as const;
  for (let pass = 0; pass < 3; pass += 1) await Promise.all(workerJobs.map((job) => job.run(ctx)));
  process.stdout.write("done\n");
}
await closeDatabase();
