import { log } from "#app/web/log.server.ts";

/** A defect in one request or job must not end the others: stray errors are logged, and the process continues. */
export function logStrayErrors(): void {
  process.on("uncaughtException", (error) => log.error("uncaught exception", { error }));
  process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
}
