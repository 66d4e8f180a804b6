import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";

const db = useDatabase({ role: "owner", demoAt: "2026-11-20T14:30:00Z" });
const broken = () => findBrokenInvariants(db(), { only: (rule) => rule.startsWith("a campaign's counter") });
const read = async () => [
  ...(await db().execute(sql`select id, rejected_line_items as items from campaigns order by 1`)),
];

/** What a server of any version does when publishers decide: it locks the campaigns, then changes their line items. */
const decide = (status: string, items: number) =>
  db.owner().transaction(async (tx) => {
    await tx.execute(sql`select from campaigns order by id for no key update`);
    await tx.execute(
      sql`update line_items set approval_status = ${status} where id in (select id from line_items where approved_version is null order by id limit ${items})`,
    );
  });

test("the migration counts older rejections, while publishers decide others, and finds nothing new afterwards", async () => {
  await decide("rejected", 2);
  const kept = await read();
  expect(kept.some(({ items }) => Number(items) > 0)).toBe(true);

  await db().execute(sql`update campaigns set rejected_line_items = 7 where rejected_line_items > 0`);
  expect(Object.keys(await broken())).toHaveLength(1);
  await db().execute(sql`call fill_rejected_line_items()`);
  expect(await read()).toEqual(kept);

  // Older rejections that nobody has counted: one that is over before the migration counts leaves a number of -1.
  await db().execute(sql`update campaigns set rejected_line_items = 0`);
  await decide("pending", 1);
  expect((await read()).some(({ items }) => Number(items) < 0)).toBe(true);
  const deciding = async (items: number) => {
    for (const status of ["pending", "rejected", "pending", "rejected"]) await decide(status, items);
  };
  await Promise.all([deciding(1), deciding(3), db().execute(sql`call fill_rejected_line_items()`)]);
  expect(await broken()).toEqual({});
});
