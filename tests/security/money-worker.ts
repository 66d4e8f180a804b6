import { createInterface } from "node:readline";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { jobs } from "#server/jobs.ts";

/**
 * A worker of which a test moves the clock: `money-worker DATABASE_URL`. It says `ready`; for each instant that it is told it does
 * all jobs about money, as often as one leads to the next, and says `done`.
 */
const names = [
  ...["settle_delivery", "finish_top_ups", "warn_of_low_funds", "finish_plan_changes", "renew_subscriptions"],
  ...["refresh_funds", "issue_invoices", "start_monthly_payouts", "send_payouts"],
];
const ours = names.map((name) => {
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
    door: "job",
    report: () => undefined,
  } as const;
  for (let pass = 0; pass < 3; pass += 1) await Promise.all(ours.map((job) => job.run(ctx)));
  process.stdout.write("done\n");
}
await closeDatabase();
