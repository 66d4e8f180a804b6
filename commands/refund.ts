import { parseArgs } from "node:util";
import { refundSpendByReference } from "#app/domain/billing/refunds/refund-spend-by-reference.server.ts";
import { type LineItemId, parseId } from "#app/domain/ids.ts";
import { formatCents, parseDollars } from "#app/domain/money.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run refund -- --line-item ID --amount DOLLARS --reference TEXT`: refunds spend of a line item to its advertiser,
 * once per reference.
 */
export default databaseCommand(async ({ ctx, args }) => {
  const { reference, ...request } = readArguments(args);
  const { id, earnings, fee, replayed } = await refundSpendByReference(ctx, { reference, ...request });
  const parts = `${formatCents(earnings)} from publisher earnings, ${formatCents(fee)} from the platform fee`;
  const outcome = replayed ? `already refunded under ${reference}` : "refunded";
  print(`${formatCents(request.amount)} ${outcome} (${parts}), refund ${id}`);
});

function readArguments(args: readonly string[]) {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({ args: [...args], options: { "line-item": text, amount: text, reference: text } });
    const lineItemId = parseId<LineItemId>(values["line-item"]);
    const amount = parseDollars(values.amount ?? "");
    const reference = values.reference?.trim().slice(0, 200);
    if (lineItemId && amount !== undefined && reference) return { lineItemId, amount, reference };
  } catch {
    // The usage error below applies.
  }
  throw new StartupError("Usage: npm run refund -- --line-item ID --amount DOLLARS --reference TEXT");
}
