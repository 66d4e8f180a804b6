import { sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import { inSavepoint, inTransaction } from "#app/domain/transaction.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { campaigns } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const named = (name: string) => db().$count(campaigns, sql`${campaigns.name} = ${name}`);

test("verbs inside a transaction join it, and with a key too: all rows are written by one transaction", async () => {
  const key = "joined-key";
  await createIdempotently(world.northwind, { key, values: {} }, async (ctx) => {
    await createCampaign(ctx, { name: "Joined" });
    return createCampaign(ctx, { name: "Joined" });
  });
  // PostgreSQL stores a savepoint as a transaction of its own.
  const writers = await queryRows(
    db.owner(),
    z.object({ writer: z.string() }),
    sql`select xmin::text as writer from campaigns where name = 'Joined'
      union select xmin::text from idempotency_keys where key = ${key}`,
  );
  expect(writers).toHaveLength(1);
});

test("a part that fails takes the whole transaction with it, also where its caller goes on", async () => {
  const failing = async (ctx: typeof world.northwind) =>
    inTransaction(ctx, async (part) => {
      await createCampaign(part, { name: "Part" });
      throw new Error("the part failed");
    });
  const whole = inTransaction(world.northwind, async (ctx) => {
    await createCampaign(ctx, { name: "Whole" });
    await failing(ctx).catch(() => undefined);
    await createCampaign(ctx, { name: "Later" });
  });
  await expect(whole).rejects.toThrow("the part failed");
  expect([await named("Part"), await named("Whole"), await named("Later")]).toEqual([0, 0, 0]);
});

test("a statement that fails in a part fails the whole transaction, also where its caller goes on", async () => {
  const whole = inTransaction(world.northwind, async (ctx) => {
    await createCampaign(ctx, { name: "Before" });
    await inTransaction(ctx, (part) => part.db.execute(sql`select 1 / 0`)).catch(() => undefined);
  });
  await expect(whole).rejects.toMatchObject({ cause: { code: "22012" } });
  expect(await named("Before")).toBe(0);
});

test("a deadlock in a part repeats the whole transaction", async () => {
  let attempts = 0;
  await inTransaction(world.northwind, async (ctx) => {
    attempts += 1;
    await createCampaign(ctx, { name: "Repeated" });
    await inTransaction(ctx, async (part) => {
      if (attempts === 1) await part.db.execute(sql`do $$ begin raise exception using errcode = '40P01'; end $$`);
    });
  });
  expect([attempts, await named("Repeated")]).toEqual([2, 1]);
});

test("work in a savepoint that fails is rolled back alone, with what joined it", async () => {
  await inTransaction(world.northwind, async (ctx) => {
    await createCampaign(ctx, { name: "Kept" });
    const part = inSavepoint(ctx, async (inside) => {
      await createCampaign(inside, { name: "Dropped" });
      throw new Error("the part failed");
    });
    await expect(part).rejects.toThrow("the part failed");
    await expect(inSavepoint(ctx, (inside) => inside.db.execute(sql`select 1 / 0`))).rejects.toThrow();
    await createCampaign(ctx, { name: "Kept" });
  });
  expect([await named("Kept"), await named("Dropped")]).toEqual([2, 0]);
});

test("a transaction that was begun elsewhere is not joined: work in it has a savepoint", async () => {
  await db().transaction(async (tx) => {
    const ctx = { ...world.northwind, db: tx };
    const part = inTransaction(ctx, async (inside) => {
      await createCampaign(inside, { name: "Elsewhere" });
      throw new Error("the part failed");
    });
    await expect(part).rejects.toThrow("the part failed");
  });
  expect(await named("Elsewhere")).toBe(0);
});
