import type { LogSettings } from "#server/http/log-line.ts";

/** A message from a program to its supervisor. */
export type ProgramMessage =
  | ({
      kind: "settings";
      /** The folder of the embedded database, if the program needs one. */
      dataDir: string | undefined;
      /** Milliseconds without a heartbeat after which the program is killed; 0 means never. */
      hangMs: number;
      /** The time in milliseconds for which the program still serves requests after SIGTERM. */
      drainMs: number;
    } & LogSettings)
  | { kind: "ready" };

/** The supervisor's reply to settings that request a database. */
export type SupervisorMessage = { kind: "database"; url: string };

/** The pipe for the heartbeat of a program's watchdog. (0 to 2 are the standard streams; 3 carries the messages.) */
export const beatFd = 4;
export const beatEveryMs = 500;
