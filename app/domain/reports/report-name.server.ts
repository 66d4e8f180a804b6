import { invalidInput } from "../errors.ts";
import { sqlState } from "../transaction.server.ts";

/** Runs a write of a report. Throws `invalid_input` if the account has a report of this name. */
export async function withUniqueReportName(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw invalidInput({ name: ["Your account has a report with this name. Choose another one."] });
  }
}
