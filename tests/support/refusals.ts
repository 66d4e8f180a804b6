import { expect } from "vitest";
import { DomainError, type ErrorCode } from "#app/domain/errors.ts";

/** The domain error that the work ends in; fails when it succeeds or breaks in another way. */
export async function refusalOf(work: Promise<unknown>): Promise<DomainError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}

export async function expectRefusal(work: Promise<unknown>, code: ErrorCode, words?: RegExp): Promise<void> {
  const refusal = await refusalOf(work);
  expect(refusal.code).toBe(code);
  if (words) expect(refusal.message).toMatch(words);
}
