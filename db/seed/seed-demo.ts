import { lt, sql } from "drizzle-orm";
import { allowIdle, inTransaction } from "#app/domain/transaction.server.ts";
import { type Database, withDeadline } from "#db/client.server.ts";
import { accounts, notifications } from "#db/schema/index.ts";
import { insertDemoAccounts } from "./demo-accounts.ts";
import { insertDemoAudiences } from "./demo-audiences.ts";
import { insertDemoMembers } from "./demo-members.ts";
import { insertDemoProducts } from "./demo-products.ts";
import { seedDemoCampaigns } from "./seed-demo-campaigns.ts";

/** Notifications of the last day are unread. */
const unreadDays = 1;
/**
 * The deadline of the whole seed, in milliseconds, also for a process that waits for another's: a first start takes ten
 * seconds, and minutes on a machine that does much else. Without an end, a database that stopped responding would leave
 * it waiting.
 */
const seedTimeoutMs = 3_600_000;

/**
 * Fills an empty database with the demo data: six accounts, and campaigns with a history of the three months before the
 * clock's time. Everything is inserted in one transaction. Does nothing when there are accounts already; when two
 * processes start at once, the second waits for the first. The files of the creatives are stored before the rows that
 * name them.
 */
export async function seedDemo(input: { db: Database; clock: () => Date }): Promise<void> {
  await inTransaction(withDeadline(input, seedTimeoutMs), async ({ db: tx }) => {
    await tx.execute(sql.raw(`set local lock_timeout = ${seedTimeoutMs}`));
    // Between its statements it stores the files of the creatives.
    await allowIdle(tx, seedTimeoutMs);
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('endcap.seed_demo'))`);
    if ((await tx.$count(accounts)) > 0) return;
    const now = input.clock();
    await insertDemoAccounts(tx, now);
    await insertDemoAudiences(tx, now);
    await insertDemoMembers(tx);
    await insertDemoProducts(tx, now);
    await seedDemoCampaigns({ db: tx, now });
    await tx
      .update(notifications)
      .set({ readAt: sql`${notifications.createdAt}` })
      .where(lt(notifications.createdAt, new Date(now.getTime() - unreadDays * 86_400_000)));
  });
}
