import { userInfo } from "node:os";
import { parseArgs } from "node:util";
import { refundSpend } from "#app/domain/billing/refunds/refund-spend.server.ts";
import { type LineItemId, parseId } from "#app/domain/ids.ts";
import { formatCents, parseDollars } from "#app/domain/money.ts";
import { StartError } from "#app/start-error.ts";
import { database } from "#db/client.server.ts";
import { runCommand } from "./command.ts";

/** `npm run refund -- --line-item ID --amount DOLLARS`: gives an advertiser back what a line item spent, once each time. */
await runCommand(async () => {
  const { lineItemId, amount } = readArguments();
  const actor = { kind: "operator", name: userInfo().username } as const;
  const ctx = { db: database(), actor, clock: () => new Date(), door: "command" } as const;
  const { id, earnings, fee } = await refundSpend(ctx, { lineItemId, amount });
  const parts = `${formatCents(earnings)} of the publisher's and ${formatCents(fee)} of ours`;
  process.stdout.write(`${formatCents(amount)} given back (${parts}), refund ${id}\n`);
});

function readArguments() {
  try {
    const { values } = parseArgs({ options: { "line-item": { type: "string" }, amount: { type: "string" } } });
    const lineItemId = parseId<LineItemId>(values["line-item"]);
    const amount = parseDollars(values.amount ?? "");
    if (lineItemId && amount !== undefined) return { lineItemId, amount };
  } catch {
    // Said below.
  }
  throw new StartError("Usage: npm run refund -- --line-item ID --amount DOLLARS");
}
