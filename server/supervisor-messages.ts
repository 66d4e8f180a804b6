/** What a program says to the supervisor that started it. */
export type ProgramMessage =
  | {
      kind: "settings";
      /** The folder of the embedded database that the program wants, if it does. */
      dataDir: string | undefined;
      logLevel: string;
      /** So long the program may give no sign of life before it is killed; 0: for ever. */
      hangMs: number;
    }
  | { kind: "ready" };

/** What the supervisor answers to settings that want a database. */
export type SupervisorMessage = { kind: "database"; url: string };

/** The pipe on which a program's watchdog shows that the process runs. (0 to 2 are the standard streams, 3 carries the messages.) */
export const beatFd = 4;
export const beatEveryMs = 500;
