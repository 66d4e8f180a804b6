import { countKnownMigrations } from "#db/migration-history.server.ts";
import { databaseCommand, print } from "./command.ts";

/**
 * `npm run migrate`: migrates the database, as each start of a server does, and exits. For deployments in which servers
 * start only afterwards, with a time limit that a long migration would exceed.
 */
export default databaseCommand(async () =>
  print(`The database has all ${countKnownMigrations()} migrations of this version`),
);
