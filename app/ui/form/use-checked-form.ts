import { parse, type SubmissionResult, useForm } from "@conform-to/react";
import { type FormEvent, useEffect, useMemo, useRef, useState } from "react";
import { type FormChecks, findErrors } from "./field-checks.ts";
import { focusFirst, useChecksOnBlur } from "./form-focus.ts";
import { type FormErrors, type FormValues, mergeItemErrors } from "./form-values.ts";

type CheckedFormOptions = {
  /** What the browser may say by itself, from `checksOf` in the loader. */
  checks: FormChecks;
  /** The server's answer to a form that it did not take. */
  refused: SubmissionResult<string[]> | undefined;
  /** What the fields show at first. */
  stored?: FormValues;
  /** Of the form's element, where others name it. */
  id?: string;
  /** False for a form of which the server saves what it can read, so that one wrong field does not hold the others back. */
  holdsBack?: boolean;
  /** True where the browser's own checks of the fields' attributes apply without scripting. */
  nativeWithoutScript?: boolean;
  /** Sends the form by script, once the browser's checks are passed. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
};

/**
 * Runs a form with conform: a field is checked when one leaves it, and its error goes as one mends it. After an answer with
 * errors, or when the browser's own checks hold the form back, the first wrong field gets the focus. Without scripting the
 * form is posted as it is, and shows the server's errors.
 */
export function useCheckedForm(options: CheckedFormOptions) {
  const { checks, refused, stored, id, holdsBack = true, nativeWithoutScript = false, onSubmit } = options;
  const lastResult = useMemo(() => refused && { ...refused, error: mergeItemErrors(refused.error ?? {}) }, [refused]);
  /** What the summary is of: the fields that were wrong when the form was last sent. */
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
      const blocks = holdsBack && Object.keys(found).length > 0;
      return parse(formData, {
        resolve: (payload: Record<string, unknown>, intent): { value: typeof payload } | { error: Kept } => {
          if (intent)
            return { error: errorsAfter(wrongNow.current, found, intent.type === "validate" && intent.payload.name) };
          if (!blocks) return { value: payload };
          setSent({ ...sent, wrong: [...wrongNow.current, ...Object.keys(found)] });
          return { error: { ...kept(wrongNow.current), ...found } };
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
    // Whoever began to type before the page was alive is left there.
    const isTyping = !isAlive.current && document.activeElement !== document.body;
    isAlive.current = true;
    if (wrong.length > 0 && !isTyping) focusFirst(form.id, wrong, summaryPlace.current);
  }, [sent.answer, form.id]);

  const onBlur = useChecksOnBlur((name) => {
    if (name in checks && !wrongNow.current.includes(name)) form.validate({ name });
  });
  const values: FormValues = (refused ? refused.initialValue : stored) ?? {};
  const summary = Object.fromEntries(Object.entries(errors).filter(([name]) => sent.wrong.includes(name)));
  return {
    fields: { values, errors },
    /** Of the form's element. */
    props: { id: form.id, onSubmit: form.onSubmit, onBlur, noValidate: form.noValidate },
    /** For `FormSummary`. */
    summary: { errors: summary, place: summaryPlace },
  };
}

/** Of a field with null conform keeps the error that it shows: the server knows more than the browser's checks. */
type Kept = Record<string, string[] | null>;

function kept(names: readonly string[]): Kept {
  return Object.fromEntries(names.map((name) => [name, null]));
}

/** One field was checked: the others stay as they are. */
function errorsAfter(
  wrong: readonly string[],
  found: Record<string, string[]>,
  name: string | false | undefined,
): Kept {
  const others = kept(wrong.filter((other) => other !== name));
  return name && found[name] ? { ...others, [name]: found[name] } : others;
}
