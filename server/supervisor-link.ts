import { type Env, env } from "#app/env.server.ts";
import { errorCode } from "#app/start-error.ts";
import type { ProgramMessage, SupervisorMessage } from "./supervisor-messages.ts";

/** Whether a supervisor started this process (server/supervisor.ts); `npm run dev` runs without. */
export function isSupervised(): boolean {
  return process.send !== undefined;
}

/**
 * Says what this process wants of its supervisor, and ends this process at once when the supervisor is killed, since nobody
 * would end it then. Resolves to the URL of the embedded database when `ownDatabase` asks for it.
 */
export function joinSupervisor({ ownDatabase }: { ownDatabase: (settings: Env) => boolean }): Promise<string> {
  const settings = env();
  const url = new Promise<string>((resolve) => {
    process.on("message", (message: SupervisorMessage) => resolve(message.url));
  });
  process.on("disconnect", () => process.exit(1));
  tell({
    kind: "settings",
    dataDir: ownDatabase(settings) ? settings.dataDir : undefined,
    logLevel: settings.logLevel,
    hangMs: settings.watchdog.killMs,
  });
  return url;
}

/** From now on the supervisor starts this program anew when it ends. */
export function tellReady(): void {
  if (isSupervised()) tell({ kind: "ready" });
}

function tell(message: ProgramMessage): void {
  process.send?.(message, undefined, undefined, (error) => {
    // The supervisor was killed just now.
    if (error && !["ERR_IPC_CHANNEL_CLOSED", "EPIPE"].includes(errorCode(error) ?? "")) throw error;
  });
}
