import { sql } from "drizzle-orm";
import { type Database, withDeadline } from "#db/client.server.ts";
import { accounts } from "#db/schema/index.ts";
import { insertDemoAccounts } from "./demo-accounts.ts";
import { insertDemoAudiences } from "./demo-audiences.ts";
import { insertDemoMembers } from "./demo-members.ts";
import { insertDemoProducts } from "./demo-products.ts";
import { playDemoCampaigns } from "./play-demo-campaigns.ts";

/**
 * Fills an empty database with the demo world: six accounts, and campaigns with a past of three months, told from
 * the clock's now. All of it in one transaction, or nothing; does nothing when there are accounts already, and when two
 * processes start at once the second waits for the first. The files of its creatives are stored before they are told of.
 */
export async function seedDemo(input: { db: Database; clock: () => Date }): Promise<void> {
  await withDeadline(120_000, () =>
    input.db.transaction(async (tx) => {
      await tx.execute(sql`set local lock_timeout = '100s'`);
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('endcap.seed_demo'))`);
      if ((await tx.$count(accounts)) > 0) return;
      const now = input.clock();
      await insertDemoAccounts(tx, now);
      await insertDemoAudiences(tx, now);
      await insertDemoMembers(tx);
      await insertDemoProducts(tx, now);
      await playDemoCampaigns({ db: tx, now });
    }),
  );
}
