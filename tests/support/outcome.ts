import { DomainError } from "#app/domain/errors.ts";
import { sqlState } from "#app/domain/transaction.server.ts";

/** Returns whether the work succeeded; a rule of the business may refuse it. */
export async function succeeds(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof DomainError) return false;
    throw error;
  }
}

/**
 * As `succeeds`, repeated while it waits for a lock in vain: on a busy machine others hold theirs for longer than a
 * request waits.
 */
export async function succeedsBesideOthers(work: () => Promise<unknown>): Promise<boolean> {
  for (;;) {
    try {
      return await succeeds(work());
    } catch (error) {
      if (sqlState(error) !== "55P03") throw error;
    }
  }
}
