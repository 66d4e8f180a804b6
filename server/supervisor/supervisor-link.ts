import { type Env, env } from "#app/env.server.ts";
import { errorCode } from "#app/startup-error.ts";
import type { ProgramMessage, SupervisorMessage } from "./supervisor-messages.ts";

/** Whether a supervisor started this process (server/supervisor/supervisor.ts); `npm run dev` has none. */
export function isSupervised(): boolean {
  return process.send !== undefined;
}

/**
 * Sends the supervisor this process's settings, and ends this process at once if the supervisor is killed, because
 * nothing else would. Resolves to the URL of the embedded database if `ownDatabase` requests one.
 */
export function joinSupervisor({ ownDatabase }: { ownDatabase: (settings: Env) => boolean }): Promise<string> {
  const settings = env();
  const url = new Promise<string>((resolve) => {
    process.on("message", (message: SupervisorMessage) => resolve(message.url));
  });
  process.on("disconnect", () => process.exit(1));
  sendMessage({
    kind: "settings",
    dataDir: ownDatabase(settings) ? settings.dataDir : undefined,
    logLevel: settings.logLevel,
    logFormat: settings.logFormat,
    hangMs: settings.watchdog.killMs,
    drainMs: settings.drainSeconds * 1_000,
  });
  return url;
}

/** Tells the supervisor to restart this program whenever it ends from now on. */
export function notifyReady(): void {
  if (isSupervised()) sendMessage({ kind: "ready" });
}

function sendMessage(message: ProgramMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    // The supervisor was killed just now.
    if (error && !["ERR_IPC_CHANNEL_CLOSED", "EPIPE"].includes(errorCode(error) ?? "")) throw error;
  });
}
