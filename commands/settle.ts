import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { env } from "#app/env.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { print, runCommand } from "./command.ts";

/** `npm run settle [-- YYYY-MM-DD]`: settles all spend through that day (UTC), by default yesterday. */
await runCommand(async (ctx) => {
  const [text, ...more] = process.argv.slice(2);
  const through = text === undefined ? undefined : parseCalendarDate(text);
  if (more.length > 0 || (text !== undefined && !through))
    throw new StartupError("Usage: npm run settle [-- YYYY-MM-DD]");
  const settled = await settleDelivery(ctx, { through, monthClosingDays: env().monthClosingDays });
  print(settled === 1 ? "1 line item settled" : `${settled} line items settled`);
});
