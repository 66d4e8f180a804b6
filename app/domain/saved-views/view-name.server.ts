import { invalidInput } from "../errors.ts";
import { sqlState } from "../transaction.server.ts";

export const tooLongQuery = "This list has too many filters to be saved as a view";

/**
 * Runs a write of a view and returns its result. Throws `invalid_input` if the person has a view of this name on the
 * list.
 */
export async function withUniqueName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw invalidInput({ name: ["You have a view with this name. Choose another one."] });
  }
}
