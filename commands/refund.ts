import { parseArgs } from "node:util";
import { refundOnce } from "#app/domain/billing/refunds/refund-once.server.ts";
import { type LineItemId, parseId } from "#app/domain/ids.ts";
import { formatCents, parseDollars } from "#app/domain/money.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/** `npm run refund -- --line-item ID --amount DOLLARS --reference TEXT`: gives an advertiser back what a line item spent, once for each reference. */
await runCommand(async (ctx) => {
  const { reference, ...asked } = readArguments();
  const { id, earnings, fee, isRepeated } = await refundOnce(ctx, { reference, ...asked });
  const parts = `${formatCents(earnings)} of the publisher's and ${formatCents(fee)} of ours`;
  const given = isRepeated ? `was given back under ${reference} before` : "given back";
  print(`${formatCents(asked.amount)} ${given} (${parts}), refund ${id}`);
});

function readArguments() {
  try {
    const text = { type: "string" } as const;
    const { values } = parseArgs({ options: { "line-item": text, amount: text, reference: text } });
    const lineItemId = parseId<LineItemId>(values["line-item"]);
    const amount = parseDollars(values.amount ?? "");
    const reference = values.reference?.trim().slice(0, 200);
    if (lineItemId && amount !== undefined && reference) return { lineItemId, amount, reference };
  } catch {
    // Said below.
  }
  throw new StartError("Usage: npm run refund -- --line-item ID --amount DOLLARS --reference TEXT");
}
