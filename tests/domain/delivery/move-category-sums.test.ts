import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { moveCategorySums } from "#app/domain/delivery/move-category-sums.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld } from "#tests/support/world.ts";

const db = useDatabase();

test("a line item whose sums can't be moved does not hold up the others, and the error is reported", async () => {
  const world = await createWorld(db());
  for (let count = 0; count < 3; count += 1) {
    const id = await world.aRunningCampaign({ changes: { start_date: world.today() } });
    await world.deliver(id, { impressions: 1_000 });
  }
  const owner = db.owner();
  await owner.execute(sql`update line_item_categories set category = 'Moved'`);
  // The first in the order in which they are moved.
  await owner.execute(sql`
    create function refuse_first() returns trigger language plpgsql as $$
    begin
      if new.line_item_id = (select min(line_item_id::text)::uuid from line_item_categories) then raise exception 'refused'; end if;
      return new;
    end $$`);
  await owner.execute(
    sql`create trigger refuse_first before update on line_item_categories for each row execute function refuse_first()`,
  );
  const waiting = async () =>
    (await db().execute(sql`select 1 from line_item_categories where category is distinct from summed_category`))
      .length;
  const all = await waiting();
  await expect(moveCategorySums(world.job)).rejects.toMatchObject({ errors: [expect.anything()] });
  expect([all, await waiting()]).toEqual([3, 1]);
  await owner.execute(sql`drop trigger refuse_first on line_item_categories`);
  expect(await moveCategorySums(world.job)).toBe(1);
});
