import { userInfo } from "node:os";
import { describeError } from "#app/describe-error.ts";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { errorCode, StartupError } from "#app/startup-error.ts";
import { closeDatabase, database, openDatabase, withDeadline } from "#db/client.server.ts";
import { embeddedRoles, externalRoles, requireSessions } from "#db/database-roles.server.ts";
import { findEmbeddedDatabaseUrl, hasEmbeddedDatabase, startEmbeddedDatabase } from "#db/embedded.server.ts";
import { isMigrated, migrateDatabase } from "#db/migrate.server.ts";

/**
 * As for a job: what a job does in a minute, a command does too, and a person who waits for it has no page to load
 * again.
 */
const deadlineMs = 60_000;

type CommandInput = {
  ctx: Ctx<OperatorActor>;
  /** What follows the command's name. */
  args: readonly string[];
  /** The database, as the owner of its tables. */
  ownerUrl: string;
};

type Command = (input: CommandInput) => Promise<void>;

type CommandOptions = {
  /**
   * What the command says where no server has made a database with tables: it ends then, rather than to make one.
   * Without it, the command makes one.
   */
  withoutDatabase?: string;
};

/** What a file of this folder exports as its default; `commands/run.js` calls `main`. */
type Program = { main: (args: readonly string[]) => Promise<void> };

/**
 * An operator's command that works on the database. `main` opens that of DATABASE_URL, that of a running server, or the
 * embedded one, started for the command alone; `perform` works on the database that is open, and resolves to the exit
 * code. Both print an expected error as one line; the exit code is then 1.
 */
export function databaseCommand(
  command: Command,
  options: CommandOptions = {},
): Program & { perform: (input: Omit<CommandInput, "ctx">) => Promise<number> } {
  const run = (input: Omit<CommandInput, "ctx">) => {
    const ctx: Ctx<OperatorActor> = {
      db: database(),
      actor: { kind: "operator", name: userInfo().username },
      clock: () => new Date(),
      entrypoint: "command",
      // The command continues; the error is printed on standard error.
      report: (error, facts) => printNote(JSON.stringify({ ...facts, error: describeError(error) })),
    };
    return command({ ...input, ctx: withDeadline(ctx, deadlineMs) });
  };
  return {
    main: (args) => onOpenedDatabase((ownerUrl) => run({ args, ownerUrl }), options),
    perform: (input) => printExpectedErrors(() => run(input)),
  };
}

/** An operator's command that needs no database. */
export function plainCommand(command: (args: readonly string[]) => Promise<void>): Program {
  return {
    async main(args) {
      acceptClosedOutput();
      setExitCode(await printExpectedErrors(() => command(args)));
    },
  };
}

async function onOpenedDatabase(
  work: (ownerUrl: string) => Promise<void>,
  { withoutDatabase }: CommandOptions,
): Promise<void> {
  let stop = async () => {};
  acceptClosedOutput();
  try {
    const code = await printExpectedErrors(async () => {
      rejectOptionsOfNpm();
      const { databaseUrl, dataDir } = env();
      const running = databaseUrl ?? (await findEmbeddedDatabaseUrl(dataDir));
      if (withoutDatabase !== undefined && !running && !hasEmbeddedDatabase(dataDir))
        throw new StartupError(withoutDatabase);
      const started = running ? undefined : await startEmbeddedDatabase({ dataDir });
      stop = started?.stop ?? stop;
      const roles = databaseUrl ? externalRoles(databaseUrl) : embeddedRoles(running ?? started?.url ?? "");
      await requireSessions(roles);
      if (withoutDatabase !== undefined && !(await isMigrated(roles))) throw new StartupError(withoutDatabase);
      await migrateDatabase(roles);
      openDatabase({ url: roles.serverUrl, max: 2 });
      await work(roles.ownerUrl);
    });
    setExitCode(code);
  } finally {
    await closeDatabase();
    await stop();
  }
}

/**
 * The reader of a pipe, such as head, may have enough: of results the command ends, of notes it continues without them.
 */
function acceptClosedOutput(): void {
  process.stdout.on("error", (error) => {
    if (errorCode(error) !== "EPIPE") throw error;
    process.exit();
  });
  process.stderr.on("error", (error) => {
    if (errorCode(error) !== "EPIPE") throw error;
  });
}

/** Prints an error that an operator can act on, and returns the exit code; any other error is thrown. */
async function printExpectedErrors(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    if (!(error instanceof StartupError || error instanceof DomainError)) throw error;
    printNote(error.message);
    return 1;
  }
}

/** Sets the process's exit code; that of a command that set it itself stays. */
function setExitCode(code: number): void {
  if (code !== 0) process.exitCode = code;
}

/** The options without which a command does something else, rather than nothing. */
const decisiveOptions = ["dry-run", "expect", "leave", "now", "source"];

/**
 * Rejects an option that was written without `--` before it: npm keeps it for itself, and the command would go on
 * without.
 */
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
