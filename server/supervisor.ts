import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { restartPauses } from "#app/restart-pauses.ts";
import type { SupervisedDatabase } from "#db/supervised-database.server.ts";
import { writeLogLine } from "./log-line.ts";
import { type ProgramEnd, type SupervisedProgram, startProgram } from "./supervised-program.ts";
import type { ProgramMessage } from "./supervisor-messages.ts";

/** The server has 12 seconds for the requests under way and 5 for its connections; what takes longer is made to survive a kill. */
const programStopMs = 20_000;

/**
 * `npm start` and `npm run worker`: starts the program as a process of its own, and the embedded database when the program
 * wants one; starts either anew when it dies or hangs; and ends both on SIGTERM or SIGINT (docs/decisions/0053).
 */
export function supervise(name: "start" | "worker"): void {
  const stopping = new AbortController();
  const pauses = restartPauses();
  let logLevel = "info";
  let database: Promise<SupervisedDatabase> | undefined;
  let program = begin();

  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);

  function begin(): SupervisedProgram {
    const started = startProgram({
      module: join(import.meta.dirname, `${name}.js`),
      onMessage: (message) => void answer(started, message).catch(giveUp),
      onIncident: (incident) => warn(incident),
    });
    started.ended.then(goOn).catch(giveUp);
    return started;
  }

  async function answer(asking: SupervisedProgram, message: ProgramMessage): Promise<void> {
    if (message.kind !== "settings") return;
    logLevel = message.logLevel;
    if (message.dataDir === undefined || stopping.signal.aborted) return;
    database ??= openDatabase(message.dataDir);
    const url = await (await database).url();
    asking.send({ kind: "database", url });
  }

  async function openDatabase(dataDir: string): Promise<SupervisedDatabase> {
    const { superviseEmbeddedDatabase } = await import("#db/supervised-database.server.ts");
    return await superviseEmbeddedDatabase({
      dataDir,
      onIncident: (incident, error) => warn(incident, { error: error instanceof Error ? error.message : undefined }),
      // The program has the earlier URL: it ends, and the next one asks anew.
      onMoved: () => program.stop(programStopMs),
    });
  }

  /** A program that never got ready has said why, and would say so again; one that was ready is started anew, as often as it takes. */
  async function goOn(end: ProgramEnd): Promise<void> {
    if (stopping.signal.aborted) return await exit(isDone(end) ? 0 : 1);
    if (!hasBeenReady(end)) return await exit(end.code ?? 1);
    const pause = pauses.afterMs(end.readyForMs);
    warn("program_ended", { reason: end.signal ?? `exit ${end.code}`, milliseconds: pause });
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return await exit(0);
    program = begin();
  }

  let everReady = false;
  function hasBeenReady(end: ProgramEnd): boolean {
    everReady ||= end.wasReady;
    return everReady;
  }

  function stop(): void {
    if (stopping.signal.aborted) return;
    stopping.abort();
    program.stop(programStopMs);
  }

  async function giveUp(error: unknown): Promise<void> {
    console.error(error instanceof Error && error.name === "StartError" ? error.message : error);
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
    writeLogLine(logLevel, { level: "warn", message: "supervisor", fields: { program: name, code, ...fields } });
  }
}

/** A program that had not begun to listen for SIGTERM yet ends by it. */
function isDone({ code, signal }: ProgramEnd): boolean {
  return code === 0 || signal === "SIGTERM" || signal === "SIGINT";
}
