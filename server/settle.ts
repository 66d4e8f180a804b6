import { userInfo } from "node:os";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { StartError } from "#app/start-error.ts";
import { database } from "#db/client.server.ts";
import { runCommand } from "./command.ts";

/** `npm run settle [-- YYYY-MM-DD]`: settles all spend until the end of that day (UTC), yesterday unless said otherwise. */
await runCommand(async () => {
  const [text] = process.argv.slice(2);
  const through = text === undefined ? undefined : parseCalendarDate(text);
  if (text !== undefined && !through) throw new StartError("Usage: npm run settle [-- YYYY-MM-DD]");
  const actor = { kind: "operator", name: userInfo().username } as const;
  const settled = await settleDelivery(
    { db: database(), actor, clock: () => new Date(), door: "command" },
    { through },
  );
  process.stdout.write(settled === 1 ? "1 line item settled\n" : `${settled} line items settled\n`);
});
