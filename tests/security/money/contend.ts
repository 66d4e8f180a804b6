import { DomainError } from "#app/domain/errors.ts";
import type { Reply } from "./two-processes.ts";

/** How many contenders send the same request at once. */
export const contenderCount = 12;

export type Contender = (turn: number) => Promise<Reply>;

/** Runs all contenders at once and returns their outcomes, such as `409 not_pending`, in alphabetical order. */
export async function runContenders(sendRequest: Contender, count = contenderCount): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: count }, (_, turn) => sendRequest(turn)));
  return answers.map(({ status, code }) => (code ? `${status} ${code}` : String(status))).sort();
}

export const times = (count: number, what: string) => Array.from({ length: count }, () => what);
export const oneSucceeds = (refusal: string) => ["200", ...times(contenderCount - 1, refusal)];

/** Runs an operation in this third process and returns it as a reply: 200, or 409 with the error's code. */
export async function inThisProcess(operation: Promise<unknown>): Promise<Reply> {
  try {
    await operation;
    return { status: 200, code: undefined, text: "" };
  } catch (error) {
    if (error instanceof DomainError) return { status: 409, code: error.code, text: error.message };
    throw error;
  }
}
