import type { SubmissionResult } from "@conform-to/react";
import type { FormEvent } from "react";
import type { FormChecks } from "./field-checks.ts";
import type { FormErrors } from "./form-values.ts";

/** What a form that runs with conform can do. */
export type FormControl = {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  /** Checks one field and shows its error. */
  validate: (name: string) => void;
};

/** A form of the page that runs with conform. */
export type RunningForm = {
  id: string;
  checks: FormChecks;
  rejected: SubmissionResult<string[]> | undefined;
  blocksSubmit: boolean;
  onSubmit: ((event: FormEvent<HTMLFormElement>) => void) | undefined;
  /** Gets the errors to show whenever they change. */
  onErrors: (errors: FormErrors) => void;
  /** Gets the names of the invalid fields when the browser's checks block a submission. */
  onBlocked: (names: string[]) => void;
  onReady: (control: FormControl) => void;
};
