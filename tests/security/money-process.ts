import fc from "fast-check";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { happen, moneyEvents } from "#tests/domain/billing/money-events.ts";
import type { MoneyWorld } from "#tests/domain/billing/money-world.ts";

/**
 * A process that moves money until it is killed: `money-process DATABASE_URL INSTANT`, with the world of it as JSON in MONEY_WORLD.
 * It says what its clock says, when it begins and whenever that moves on.
 */
const [url = "", instant = ""] = process.argv.slice(2);
const stage: MoneyWorld = JSON.parse(process.env.MONEY_WORLD ?? "{}");
const db = openDatabase({ url });
let now = Date.parse(instant);
const place = {
  ...stage,
  db,
  now: () => new Date(now),
  /** A little, since many do so at once. */
  passDays: (days: number) => {
    now += Math.min(days, 1) * 8_640_000;
    process.stdout.write(`${now}\n`);
  },
};
process.stdout.write(`${now}\n`);
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) for (const event of fc.sample(moneyEvents, 50)) await happen(place, event);
  }),
).finally(closeDatabase);
