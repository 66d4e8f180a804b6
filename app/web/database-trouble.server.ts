import { sqlState } from "#app/domain/transaction.server.ts";

/** Seconds after which it is worth asking again. */
export const retryAfterTrouble = 1;

/**
 * Whether an error says that the database is away, busy or starting, and nothing about what was asked: it may be asked
 * again. Classes of SQLSTATE: connection, conflict, resources, shutdown and timeouts; and the driver's and system's codes.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  return /^(08...|40...|53...|55P03|57...|DATABASE_\w+|CONNECT(ION)?_\w+|ECONN\w+|EPIPE)$/.test(sqlState(error));
}
