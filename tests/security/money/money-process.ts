import fc from "fast-check";
import { isLockTimeout } from "#app/domain/transaction.server.ts";
import { closeDatabase, openDatabase } from "#db/client.server.ts";
import { applyEvent, eventsWithReturns, type MoneyEvent } from "#tests/domain/billing/money-events.ts";
import type { MoneyWorld } from "#tests/domain/billing/money-world.ts";

/**
 * Moves money until it is killed: `money-process DATABASE_URL INSTANT`, with its accounts as JSON in MONEY_WORLD.
 * It prints its clock at the start and after each advance.
 */
const [url = "", instant = ""] = process.argv.slice(2);
const moneyWorld: MoneyWorld = JSON.parse(process.env.MONEY_WORLD ?? "{}");
const db = openDatabase({ url });
let now = Date.parse(instant);
const world = {
  ...moneyWorld,
  db,
  now: () => new Date(now),
  /** Small amounts, because many requests run at once. */
  passDays: (days: number) => {
    now += Math.min(days, 1) * 8_640_000;
    process.stdout.write(`${now}\n`);
  },
};
process.stdout.write(`${now}\n`);
await Promise.all(
  Array.from({ length: 8 }, async () => {
    for (;;) for (const event of fc.sample(eventsWithReturns, 50)) await applyOrTimeOut(event);
  }),
).finally(closeDatabase);

/** On a busy machine an event may wait too long for a lock; its transaction is rolled back then. */
async function applyOrTimeOut(event: MoneyEvent): Promise<void> {
  await applyEvent(world, event).catch((error: unknown) => {
    if (!isLockTimeout(error)) throw error;
  });
}
