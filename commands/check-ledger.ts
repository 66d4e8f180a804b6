import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run ledger:check`: checks the invariants of the ledger. Prints the violations and exits with 1 if there are any.
 */
export default databaseCommand(async ({ ctx }) => {
  const violations = await checkLedger(ctx);
  if (violations.length > 0) {
    throw new StartupError(violations.map(({ rule, found }) => `${rule}: ${found.join(", ")}`).join("\n"));
  }
  print("Ledger check passed");
});
