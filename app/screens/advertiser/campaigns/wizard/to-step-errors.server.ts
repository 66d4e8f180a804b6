import { DomainError } from "#app/domain/errors.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";

/**
 * Returns what a step's form shows of a domain error. Throws 404 for a campaign that does not exist, and other errors
 * as they are.
 */
export function toStepErrors(error: unknown) {
  if (!(error instanceof DomainError)) throw error;
  if (error.code === "not_found") throw notFoundResponse();
  return { status: statusByErrorCode[error.code], fields: error.fields, message: error.message };
}
