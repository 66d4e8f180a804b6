import { parse, useForm } from "@conform-to/react";
import { useLayoutEffect, useRef } from "react";
import { findErrors, findUnreadNumbers } from "./field-checks.ts";
import type { RunningForm } from "./running-form.ts";

/** Runs forms with conform, by their ids. */
export function ConformForms({ forms }: { forms: readonly RunningForm[] }) {
  return forms.map((form) => <ConformForm key={form.id} {...form} />);
}

function ConformForm({ id, checks, rejected, blocksSubmit, onSubmit, onErrors, onBlocked, onReady }: RunningForm) {
  const wrongNow = useRef<string[]>([]);
  const [form] = useForm<Record<string, unknown>>({
    id,
    lastResult: rejected,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onInput",
    onSubmit,
    onValidate: ({ form: element, formData }) => {
      const unread = findUnreadNumbers(element, checks);
      const found = { ...findErrors(formData, checks), ...unread };
      const blocks = Object.keys(blocksSubmit ? found : unread).length > 0;
      return parse(formData, {
        resolve: (payload: Record<string, unknown>, intent): { value: typeof payload } | { error: KeptErrors } => {
          if (!intent && !blocks) return { value: payload };
          const error = intent
            ? errorsAfter(wrongNow.current, found, intent.type === "validate" && intent.payload.name)
            : { ...retainErrors(wrongNow.current), ...found };
          // Another check may follow before the next rendering.
          wrongNow.current = Object.keys(error);
          if (!intent) onBlocked(wrongNow.current);
          return { error };
        },
      });
    },
  });
  const errors = form.allErrors;
  wrongNow.current = Object.keys(errors);

  const reported = useRef<string>(undefined);
  useLayoutEffect(() => {
    const text = JSON.stringify(errors);
    if (text === reported.current) return;
    reported.current = text;
    onErrors(errors);
  }, [errors, onErrors]);
  const { onSubmit: submit, validate } = form;
  useLayoutEffect(() => {
    onReady({ onSubmit: submit, validate: (name) => validate({ name }) });
  }, [submit, validate, onReady]);
  return null;
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
