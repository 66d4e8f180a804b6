import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { restartPauses } from "#app/restart-pauses.ts";
import type { SupervisedDatabase } from "#db/supervised-database.server.ts";
import { type LogSettings, writeLogLine } from "#server/http/log-line.ts";
import { type ProgramExit, type SupervisedProgram, startProgram } from "./supervised-program.ts";
import type { ProgramMessage } from "./supervisor-messages.ts";

/**
 * The server has 12 seconds for requests in flight and 5 for its connections; anything longer is designed to survive a
 * kill.
 */
const programStopMs = 20_000;

/**
 * `npm start` and `npm run worker`: starts the program as its own process, and the embedded database if the program
 * needs one; restarts either when it exits or hangs; stops both on SIGTERM or SIGINT (docs/decisions/0053).
 */
export function supervise(name: "start" | "worker"): void {
  const stopping = new AbortController();
  const pauses = restartPauses();
  let logSettings: LogSettings = { logLevel: "info", logFormat: "json" };
  let drainMs = 0;
  let database: Promise<SupervisedDatabase> | undefined;
  let program = begin();

  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);

  function begin(): SupervisedProgram {
    const started = startProgram({
      module: join(import.meta.dirname, `${name}.js`),
      onMessage: (message) => void answer(started, message).catch(abortSupervision),
      onIncident: (incident, error) => warn(incident, { error: error?.message }),
    });
    started.ended.then(goOn).catch(abortSupervision);
    return started;
  }

  async function answer(sender: SupervisedProgram, message: ProgramMessage): Promise<void> {
    if (message.kind !== "settings") return;
    logSettings = message;
    drainMs = message.drainMs;
    // Orphans of the database are then this process's, and Node.js never reaps them (server/init.sh).
    if (process.pid === 1) warn("no_init_process");
    if (message.dataDir === undefined || stopping.signal.aborted) return;
    database ??= openDatabase(message.dataDir);
    const url = await (await database).url();
    sender.send({ kind: "database", url });
  }

  async function openDatabase(dataDir: string): Promise<SupervisedDatabase> {
    const { superviseEmbeddedDatabase } = await import("#db/supervised-database.server.ts");
    return await superviseEmbeddedDatabase({
      dataDir,
      onIncident: (incident, error) => warn(incident, { error: error instanceof Error ? error.message : undefined }),
      // The program has the old URL: it ends, and the next one requests the URL again.
      onMoved: () => program.stop(programStopMs),
    });
  }

  /**
   * A program that failed before it was ready has reported why and would fail again; one that was ready is restarted
   * without limit.
   */
  async function goOn(end: ProgramExit): Promise<void> {
    if (stopping.signal.aborted) return await exit(isDone(end) ? 0 : 1);
    if (!hasBeenReady(end)) return await exit(end.code ?? 1);
    const pause = pauses.afterMs(end.readyForMs);
    warn("program_ended", { reason: end.signal ?? `exit ${end.code}`, milliseconds: pause });
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return await exit(0);
    program = begin();
  }

  let everReady = false;
  function hasBeenReady(end: ProgramExit): boolean {
    everReady ||= end.wasReady;
    return everReady;
  }

  /** SIGINT skips draining, also when it has begun. (A terminal sends it to the program as well.) */
  function stop(signal: NodeJS.Signals): void {
    if (signal === "SIGINT") program.hurry();
    if (stopping.signal.aborted) return;
    stopping.abort();
    program.stop(programStopMs + drainMs);
  }

  async function abortSupervision(error: unknown): Promise<void> {
    console.error(error instanceof Error && error.name === "StartupError" ? error.message : error);
    stopping.abort();
    program.kill();
    await exit(1);
  }

  let exiting = false;
  async function exit(code: number): Promise<void> {
    if (exiting) return;
    exiting = true;
    try {
      await (await database?.catch(() => undefined))?.stop();
    } catch (error) {
      warn("stop_failed", { error: error instanceof Error ? error.message : undefined });
      process.exit(1);
    }
    process.exit(code);
  }

  function warn(code: string, fields: Record<string, string | number | undefined> = {}): void {
    writeLogLine(logSettings, { level: "warn", message: "supervisor", fields: { program: name, code, ...fields } });
  }
}

/** A program that has not yet subscribed to SIGTERM is terminated by it. */
function isDone({ code, signal }: ProgramExit): boolean {
  return code === 0 || signal === "SIGTERM" || signal === "SIGINT";
}
