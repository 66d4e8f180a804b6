import { userInfo } from "node:os";
import { checkLedger } from "#app/domain/billing/ledger/check-ledger.server.ts";
import { StartError } from "#app/start-error.ts";
import { database } from "#db/client.server.ts";
import { runCommand } from "./command.ts";

/** `npm run ledger:check`: whether the ledger adds up. Ends with 1 and says what does not. */
await runCommand(async () => {
  const actor = { kind: "operator", name: userInfo().username } as const;
  const faults = await checkLedger({ db: database(), actor, clock: () => new Date(), door: "command" });
  if (faults.length > 0) {
    throw new StartError(faults.map(({ rule, found }) => `${rule}: ${found.join(", ")}`).join("\n"));
  }
  process.stdout.write("The ledger adds up\n");
});
