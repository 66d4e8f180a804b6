import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { StartError } from "#app/start-error.ts";
import { print, runCommand } from "./command.ts";

/** `npm run ledger:check`: whether the ledger adds up. Ends with 1 and says what does not. */
await runCommand(async (ctx) => {
  const faults = await checkLedger(ctx);
  if (faults.length > 0) {
    throw new StartError(faults.map(({ rule, found }) => `${rule}: ${found.join(", ")}`).join("\n"));
  }
  print("The ledger adds up");
});
