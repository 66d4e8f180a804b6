import { isBrokenNodeConnection, sqlState } from "#app/domain/transaction.server.ts";

/** The Retry-After of a database outage, in seconds. */
export const retryAfterTrouble = 1;

/**
 * Whether an error means that the database is down, busy or starting, and a retry can succeed. Checks SQLSTATE classes
 * (connection, conflict, resources, shutdown, timeouts) and the codes of the driver and the system.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  if (isBrokenNodeConnection(error)) return true;
  return /^(08...|40...|53...|55P03|57...|DATABASE_\w+|CONNECT(ION)?_\w+|ECONN\w+|EPIPE)$/.test(sqlState(error));
}
