import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { type FormChecks, findErrors } from "./field-checks.ts";
import { focusFirst, useChecksOnBlur } from "./form-focus.ts";
import { type FormErrors, type FormValues, mergeItemErrors } from "./form-values.ts";

type CheckedFormOptions = {
  /** The checks that the browser can run, from `checksOf` in the loader. */
  checks: FormChecks;
  /** The server's response to a rejected submission. */
  rejected: SubmissionResult<string[]> | undefined;
  /** The initial values of the fields. */
  stored?: FormValues;
  /** The id of the form element, if other elements refer to it. */
  id?: string;
  /** False for a form of which the server saves the valid fields, so that one invalid field does not block the others. */
  blocksSubmit?: boolean;
  /** True if the browser's native checks of the fields' attributes apply without scripting. */
  nativeWithoutScript?: boolean;
  /** Submits the form by script, once the browser's checks pass. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
};

/**
 * Runs a form with conform: a field is checked on blur, and its error clears as it is corrected. After a response with
 * errors, or if the browser's checks block the submission, the first invalid field gets focus. Without scripting the
 * form is posted natively and shows the server's errors.
 */
export function useCheckedForm(options: CheckedFormOptions) {
  const { checks, rejected, stored, id, blocksSubmit = true, nativeWithoutScript = false, onSubmit } = options;
  const lastResult = useMemo(
    () => rejected && { ...rejected, error: mergeItemErrors(rejected.error ?? {}) },
    [rejected],
  );
  /** The summary's errors: the fields that were invalid at the last submission. */
  const [sent, setSent] = useState(() => ({ answer: lastResult, wrong: Object.keys(lastResult?.error ?? {}) }));
  const summaryPlace = useRef<HTMLDivElement>(null);
  const wrongNow = useRef<string[]>([]);
  const [form] = useForm<Record<string, unknown>>({
    id,
    lastResult,
    defaultNoValidate: !nativeWithoutScript,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onSubmit,
    onValidate: ({ formData }) => {
      const found = findErrors(formData, checks);
      const blocks = blocksSubmit && Object.keys(found).length > 0;
      return parse(formData, {
        resolve: (payload: Record<string, unknown>, intent): { value: typeof payload } | { error: KeptErrors } => {
          if (intent)
            return { error: errorsAfter(wrongNow.current, found, intent.type === "validate" && intent.payload.name) };
          if (!blocks) return { value: payload };
          setSent({ ...sent, wrong: [...wrongNow.current, ...Object.keys(found)] });
          return { error: { ...retainErrors(wrongNow.current), ...found } };
        },
      });
    },
  });
  const errors: FormErrors = form.allErrors;
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
    if (wrong.length > 0 && !isTyping) focusFirst(form.id, wrong, summaryPlace.current);
  }, [sent.answer, form.id]);

  const onBlur = useChecksOnBlur((name) => {
    if (name in checks && !wrongNow.current.includes(name)) form.validate({ name });
  });
  const values: FormValues = (rejected ? rejected.initialValue : stored) ?? {};
  const summary = Object.fromEntries(Object.entries(errors).filter(([name]) => sent.wrong.includes(name)));
  return {
    fields: { values, errors },
    /** The props of the form element. */
    props: { id: form.id, onSubmit: form.onSubmit, onBlur, noValidate: form.noValidate },
    /** The props of `FormSummary`. */
    summary: { errors: summary, place: summaryPlace },
  };
}

/** For a field with null, conform keeps the error that it shows: the server knows more than the browser's checks. */
type KeptErrors = Record<string, string[] | null>;

function retainErrors(names: readonly string[]): KeptErrors {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** Returns the errors after one field was checked; the other fields keep theirs. */
function errorsAfter(
  wrong: readonly string[],
  found: Record<string, string[]>,
  name: string | false | undefined,
): KeptErrors {
  const others = retainErrors(wrong.filter((other) => other !== name));
  return name && found[name] ? { ...others, [name]: found[name] } : others;
}
