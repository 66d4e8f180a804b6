import { expect } from "vitest";
import { DomainError, type ErrorCode } from "#app/domain/errors.ts";

/** Returns the domain error that the work rejects with; fails if it succeeds or rejects otherwise. */
export async function domainErrorFrom(work: Promise<unknown>): Promise<DomainError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error("expected a refusal");
}

export async function expectDomainError(work: Promise<unknown>, code: ErrorCode, message?: RegExp): Promise<void> {
  const rejection = await domainErrorFrom(work);
  expect(rejection.code).toBe(code);
  if (message) expect(rejection.message).toMatch(message);
}
