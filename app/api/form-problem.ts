import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { FormRejection } from "#app/web/forms/field-gate.ts";
import { TruncatedFormError } from "#app/web/forms/truncated-form-error.ts";
import { Problem } from "./problem.ts";

/** Throws the API error for a multipart form that cannot be opened or read completely. */
export function throwFormProblem(thrown: unknown): never {
  if (thrown instanceof TruncatedFormError)
    throw new Problem("malformed", "The upload was interrupted. Send it again.");
  if (thrown instanceof FileRejectedError) throw new Problem("malformed", thrown.message);
  if (thrown instanceof FormRejection) throw new Problem("malformed", thrown.message);
  if (!(thrown instanceof Response)) throw thrown;
  if (thrown.status === 415) {
    throw new Problem("unsupported_media_type", "Send the files as multipart/form-data");
  }
  throw new Problem("malformed", "The form data could not be parsed");
}
