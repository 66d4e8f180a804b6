import { userInfo } from "node:os";
import { describeError } from "#app/describe-error.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { closeDatabase, database, openDatabase, withDeadline } from "#db/client.server.ts";
import { embeddedRoles, externalRoles } from "#db/database-roles.server.ts";
import { findEmbeddedDatabaseUrl, startEmbeddedDatabase } from "#db/embedded.server.ts";
import type { DatabaseRoles } from "#db/grant-server-role.server.ts";
import { migrateDatabase } from "#db/migrate.server.ts";

/** As for a job: what a job does in a minute, a command does too, and a person who waits for it has no page to load again. */
const deadlineMs = 60_000;

/**
 * Runs an operator's command with an open database: that of DATABASE_URL, that of a running server, or the embedded
 * one, started for the command alone. An expected error is printed as one line, and the exit code is 1.
 */
export async function runCommand(
  command: (ctx: Ctx<OperatorActor>, roles: Pick<DatabaseRoles, "ownerUrl">) => Promise<void>,
): Promise<void> {
  let stop = async () => {};
  // The reader of a pipe, such as head, may have enough.
  process.stdout.on("error", (error) => {
    if (errorCode(error) !== "EPIPE") throw error;
    process.exit();
  });
  try {
    rejectOptionsOfNpm();
    const { databaseUrl, dataDir } = env();
    const running = databaseUrl ?? (await findEmbeddedDatabaseUrl(dataDir));
    const started = running ? undefined : await startEmbeddedDatabase({ dataDir });
    stop = started?.stop ?? stop;
    const roles = databaseUrl ? externalRoles(databaseUrl) : embeddedRoles(running ?? started?.url ?? "");
    await migrateDatabase(roles);
    openDatabase({ url: roles.serverUrl, max: 2 });
    const ctx: Ctx<OperatorActor> = {
      db: database(),
      actor: { kind: "operator", name: userInfo().username },
      clock: () => new Date(),
      entrypoint: "command",
      // The command continues; the error is printed on standard error.
      report: (error, facts) => console.error(JSON.stringify({ ...facts, error: describeError(error) })),
    };
    await command(withDeadline(ctx, deadlineMs), roles);
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof DomainError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    await closeDatabase();
    await stop();
  }
}

/** The options without which a command does something else, rather than nothing. */
const decisiveOptions = ["dry-run", "expect", "leave", "now", "source"];

/** Rejects an option that was written without `--` before it: npm keeps it for itself, and the command would go on without. */
function rejectOptionsOfNpm(): void {
  // biome-ignore lint/plugin/one-reader-of-the-environment: npm's own variables, which are no settings.
  const { npm_lifecycle_event: script = "COMMAND", ...environment } = process.env;
  const taken = decisiveOptions.find((option) => `npm_config_${option.replace("-", "_")}` in environment);
  if (taken === undefined) return;
  throw new StartupError(`npm took --${taken} for itself. Write -- before the arguments: npm run ${script} -- …`);
}

/** Prints a line on standard output, where scripts read the command's results. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a line for people on standard error, where no script takes it for a result. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}
