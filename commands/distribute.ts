import { StartupError } from "#app/startup-error.ts";
import { distributeFacts } from "#db/distribution/distribute-facts.server.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run distribute [-- --dry-run]`: distributes facts and their revisions over the workers of a database with the
 * extension citus, by line item (docs/decisions/0107). Everything else stays on the coordinator. `--dry-run` prints the
 * statements and changes nothing.
 */
export default databaseCommand(async ({ args, ownerUrl }) => {
  const isDryRun = args[0] === "--dry-run";
  if (args.length > (isDryRun ? 1 : 0)) throw new StartupError("Usage: npm run distribute [-- --dry-run]");
  await distributeFacts(ownerUrl, { isDryRun, print });
});
