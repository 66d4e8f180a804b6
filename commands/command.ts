import { userInfo } from "node:os";
import { describeError } from "#app/describe-error.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { StartError } from "#app/start-error.ts";
import { closeDatabase, database, openDatabase } from "#db/client.server.ts";
import { embeddedRoles, externalRoles } from "#db/database-roles.server.ts";
import { runningEmbeddedDatabase, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";

/**
 * Runs an operator's command with the database open: the one of DATABASE_URL, the one that a running server has, or the
 * embedded one, started for the command alone. A reason not to go on is printed as one line, and the exit code is 1.
 */
export async function runCommand(command: (ctx: Ctx<OperatorActor>) => Promise<void>): Promise<void> {
  let stop = async () => {};
  try {
    const { databaseUrl, dataDir } = env();
    const running = databaseUrl ?? (await runningEmbeddedDatabase(dataDir));
    const started = running ? undefined : await startEmbeddedDatabase({ dataDir });
    stop = started?.stop ?? stop;
    const roles = databaseUrl ? externalRoles(databaseUrl) : embeddedRoles(running ?? started?.url ?? "");
    await migrateDatabase(roles);
    openDatabase({ url: roles.serverUrl, max: 2 });
    await command({
      db: database(),
      actor: { kind: "operator", name: userInfo().username },
      clock: () => new Date(),
      door: "command",
      // The command goes on; what it met stands on standard error.
      report: (error, facts) => console.error(JSON.stringify({ ...facts, error: describeError(error) })),
    });
  } catch (error) {
    if (!(error instanceof StartError || error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
    await stop();
  }
}

/** Prints a line on standard output, where a script reads what a command found. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
