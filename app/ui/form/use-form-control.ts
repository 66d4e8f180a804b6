import { type FormEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { FormErrors } from "./form-values.ts";
import type { FormControl, RunningForm } from "./running-form.ts";
import { loadRunner, runForm } from "./running-forms.ts";

type Options = Omit<RunningForm, "onErrors" | "onReady">;

/** React's development build warns of a layout effect on the server, where neither kind runs. */
const useBrowserEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;

/**
 * Has conform run a form once `start` is called, or the form is submitted. A submission waits for conform's script; if
 * that cannot be loaded, the server's checks are all there are. `errors` is undefined until conform runs.
 */
export function useFormControl(options: Options) {
  const { id, checks, rejected, blocksSubmit } = options;
  const [isStarted, setIsStarted] = useState(false);
  const [errors, setErrors] = useState<FormErrors>();
  const control = useRef<FormControl>(undefined);
  const started = useRef<{ ready: Promise<void>; resolve: () => void }>(undefined);
  const submission = useRef<"waits" | "unchecked">(undefined);
  const latest = useRef(options);
  useBrowserEffect(() => {
    latest.current = options;
  });

  const start = useCallback(() => {
    started.current ??= createReady();
    const { ready, resolve } = started.current;
    setIsStarted(true);
    if (!control.current) {
      loadRunner().catch(() => {
        started.current = undefined;
        resolve();
      });
    }
    return ready;
  }, []);
  useEffect(() => {
    // A person began to type before hydration.
    if (document.forms.namedItem(id)?.contains(document.activeElement)) void start();
  }, [id, start]);

  const handlers = useMemo(
    () => ({
      onBlocked: (names: string[]) => latest.current.onBlocked(names),
      onErrors: setErrors,
      onReady: (ready: FormControl) => {
        control.current = ready;
        started.current?.resolve();
      },
    }),
    [],
  );
  const hasOwnSubmit = options.onSubmit !== undefined;
  useBrowserEffect(() => {
    if (!isStarted) return;
    const onSubmit = (event: FormEvent<HTMLFormElement>) => latest.current.onSubmit?.(event);
    return runForm({ id, checks, rejected, blocksSubmit, onSubmit: hasOwnSubmit ? onSubmit : undefined, ...handlers });
  }, [isStarted, id, checks, rejected, blocksSubmit, hasOwnSubmit, handlers]);

  const submit = (event: FormEvent<HTMLFormElement>) => {
    if (control.current) return control.current.onSubmit(event);
    // Safari 15 and older cannot submit again with the same button.
    if (submission.current === "unchecked" || typeof event.currentTarget.requestSubmit !== "function") {
      return options.onSubmit?.(event);
    }
    event.preventDefault();
    if (submission.current === "waits") return;
    submission.current = "waits";
    const { currentTarget: form, nativeEvent } = event;
    const submitter = nativeEvent instanceof SubmitEvent ? nativeEvent.submitter : null;
    void start().then(() => {
      submission.current = "unchecked";
      if (form.isConnected) form.requestSubmit(submitter?.isConnected ? submitter : null);
      submission.current = undefined;
    });
  };
  const validate = (name: string) => void start().then(() => control.current?.validate(name));
  return { errors, start, validate, onSubmit: submit };
}

function createReady() {
  let resolve: () => void = () => undefined;
  const ready = new Promise<void>((done) => {
    resolve = done;
  });
  return { ready, resolve };
}
