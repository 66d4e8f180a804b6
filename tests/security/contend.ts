import { DomainError } from "#app/domain/errors.ts";
import type { Reply } from "./two-processes.ts";

/** How many want the same at once. */
export const contenders = 12;

export type Contend = (turn: number) => Promise<Reply>;

/** All at once; what they were told, as `409 not_pending`, in alphabetical order. */
export async function compete(contend: Contend, many = contenders): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: many }, (_, turn) => contend(turn)));
  return answers.map(({ status, code }) => (code ? `${status} ${code}` : String(status))).sort();
}

export const times = (count: number, what: string) => Array.from({ length: count }, () => what);
export const oneWins = (refusal: string) => ["200", ...times(contenders - 1, refusal)];

/** What is done in this process, a third one, as a reply: 200, or 409 with the code of its refusal. */
export async function inThisProcess(work: Promise<unknown>): Promise<Reply> {
  try {
    await work;
    return { status: 200, code: undefined, text: "" };
  } catch (error) {
    if (error instanceof DomainError) return { status: 409, code: error.code, text: error.message };
    throw error;
  }
}
