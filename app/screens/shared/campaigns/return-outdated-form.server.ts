import type { SubmissionResult } from "@conform-to/react";
import { data } from "@remix-run/node";
import { DomainError } from "#app/domain/errors.ts";
import { statusByErrorCode } from "#app/web/error-status.ts";

/**
 * Runs what saves a form. If the campaign has changed since the form was opened, the form is returned as typed with the
 * newest version, so that whoever sends it again replaces that change knowingly.
 */
export async function returnOutdatedForm<Saved>(
  save: () => Promise<Saved>,
  {
    reply,
    newestVersion,
  }: {
    reply: (options: { formErrors: string[] }) => SubmissionResult<string[]>;
    newestVersion: () => Promise<number>;
  },
) {
  try {
    return await save();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "version_changed") throw error;
    const rejected = reply({ formErrors: [error.message] });
    const initialValue = { ...rejected.initialValue, version: String(await newestVersion()) };
    return data({ ...rejected, initialValue }, { status: statusByErrorCode[error.code] });
  }
}
