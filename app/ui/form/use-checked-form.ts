import type { SubmissionResult } from "@conform-to/react";
import { type FormEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import type { FormChecks } from "./field-checks.ts";
import { focusFirst, useChecksOnBlur } from "./form-focus.ts";
import { type FormErrors, type FormValues, mergeItemErrors } from "./form-values.ts";
import { useFormControl } from "./use-form-control.ts";
import { useScripting } from "./use-scripting.ts";

type CheckedFormOptions = {
  /** The checks that the browser can run, from `checksOf` in the loader. */
  checks: FormChecks;
  /** The server's response to a rejected submission. */
  rejected: SubmissionResult<string[]> | undefined;
  /** The initial values of the fields. */
  stored?: FormValues;
  /** The id of the form element, if other elements refer to it. */
  id?: string;
  /**
   * False for a form of which the server saves the valid fields, so that one invalid field does not block the others.
   */
  blocksSubmit?: boolean;
  /** True if the browser's native checks of the fields' attributes apply without scripting. */
  nativeWithoutScript?: boolean;
  /** Submits the form by script, once the browser's checks pass. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
};

/**
 * Runs a form with conform: a field is checked on blur, and its error clears as it is corrected. After a response with
 * errors, or if the browser's checks block the submission, the first invalid field gets focus. Conform is loaded when
 * the form is first entered; until then, and without scripting, the form is posted and shows the server's errors.
 */
export function useCheckedForm(options: CheckedFormOptions) {
  const { checks, rejected, stored, id, blocksSubmit = true, nativeWithoutScript = false, onSubmit } = options;
  const ownId = useId();
  const formId = id ?? ownId;
  const lastResult = useMemo(
    () => rejected && { ...rejected, error: mergeItemErrors(rejected.error ?? {}) },
    [rejected],
  );
  /** The summary's errors: the fields that were invalid at the last submission. */
  const [sent, setSent] = useState(() => ({ answer: lastResult, wrong: Object.keys(lastResult?.error ?? {}) }));
  const summaryPlace = useRef<HTMLDivElement>(null);
  const form = useFormControl({
    id: formId,
    checks,
    rejected: lastResult,
    blocksSubmit,
    onSubmit,
    onBlocked: (wrong) => setSent((before) => ({ ...before, wrong })),
  });
  const errors: FormErrors = form.errors ?? lastResult?.error ?? {};
  const wrongNow = useRef<string[]>([]);
  wrongNow.current = Object.keys(errors);

  useEffect(() => {
    if (lastResult) setSent({ answer: lastResult, wrong: Object.keys(lastResult.error) });
  }, [lastResult]);
  const isAlive = useRef(false);
  useEffect(() => {
    const wrong = Object.keys(sent.answer?.error ?? {});
    // Does not move focus away from a field in which the user began to type before hydration.
    const isTyping = !isAlive.current && document.activeElement !== document.body;
    isAlive.current = true;
    if (wrong.length > 0 && !isTyping) focusFirst(formId, wrong, summaryPlace.current);
  }, [sent.answer, formId]);

  const onBlur = useChecksOnBlur((name) => {
    if (name in checks && !wrongNow.current.includes(name)) form.validate(name);
  });
  const scripting = useScripting();
  const values: FormValues = (rejected ? rejected.initialValue : stored) ?? {};
  const summary = Object.fromEntries(Object.entries(errors).filter(([name]) => sent.wrong.includes(name)));
  return {
    fields: { values, errors },
    /** The props of the form element. */
    props: {
      id: formId,
      onSubmit: form.onSubmit,
      onFocus: form.start,
      onBlur,
      noValidate: scripting || !nativeWithoutScript,
    },
    /** The props of `FormSummary`. */
    summary: { errors: summary, place: summaryPlace },
  };
}
