import type { ClosedBalance } from "#app/domain/billing/ledger/list-closed-balances.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import { parseCalendarDate } from "#app/domain/calendar-date.ts";
import { formatCents } from "#app/domain/money.ts";
import { env } from "#app/env.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print, printNote } from "./command.ts";

/** `npm run settle [-- YYYY-MM-DD]`: settles all spend through that day (UTC), by default yesterday. */
export default databaseCommand(async ({ ctx, args }) => {
  const [text, ...more] = args;
  const through = text === undefined ? undefined : parseCalendarDate(text);
  if (more.length > 0 || (text !== undefined && !through))
    throw new StartupError("Usage: npm run settle [-- YYYY-MM-DD]");
  const onClosedBalance = ({ id, balance }: ClosedBalance) => {
    if (balance > 0) printNote(`The closed account ${id} is owed ${formatCents(balance)}`);
  };
  const settled = await settleDelivery(ctx, { through, monthClosingDays: env().monthClosingDays, onClosedBalance });
  print(settled === 1 ? "1 line item settled" : `${settled} line items settled`);
});
