import type { SubmissionResult } from "@conform-to/react";
import { DomainError } from "#app/domain/errors.ts";

/**
 * Returns the response to a form that would approve more campaigns than the plan allows, which its page shows with the
 * way to the plans. Throws any other error.
 */
export function toPlanLimit(error: unknown, reply: (options: { formErrors: string[] }) => SubmissionResult<string[]>) {
  if (!(error instanceof DomainError && error.code === "limit_reached")) throw error;
  return { ...reply({ formErrors: [error.message] }), exceedsPlan: true };
}
