import { stopBackgroundTasks } from "#app/domain/background-tasks.server.ts";

/**
 * Calls the stop functions of jobs and tasks and stops background tasks, all at the same time, because a process that
 * takes too long is killed, and a job may run for minutes. Resolves when nothing needs the database anymore.
 */
export async function endWork(stops: readonly (() => Promise<unknown>)[]): Promise<void> {
  await Promise.all([stopBackgroundTasks(), ...stops.map((stop) => stop())]);
  // Those that a job started meanwhile.
  await stopBackgroundTasks();
}
