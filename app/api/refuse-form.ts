import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import { FormRefusal } from "#app/web/field-gate.ts";
import { CutOff } from "#app/web/uploads.server.ts";
import { Problem } from "./problem.ts";

/** A form with files that cannot be opened, or read to its end, as an answer of the calls. */
export function refuseForm(thrown: unknown): never {
  if (thrown instanceof CutOff) throw new Problem("malformed", "The form was cut off before it was complete");
  if (thrown instanceof FileRefusal) throw new Problem("malformed", thrown.message);
  if (thrown instanceof FormRefusal) throw new Problem("malformed", thrown.words);
  if (!(thrown instanceof Response)) throw thrown;
  if (thrown.status === 415) {
    throw new Problem("unsupported_media_type", "Send a form with files: multipart/form-data");
  }
  throw new Problem("malformed", "The form cannot be read");
}
