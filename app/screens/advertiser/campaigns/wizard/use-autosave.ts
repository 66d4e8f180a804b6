import { useBlocker } from "@remix-run/react";
import { type FocusEvent, type FormEvent, useCallback, useEffect, useRef, useState } from "react";
import { useAfterPress } from "#app/ui/form/form-focus.ts";
import { dismissLostRequest } from "#app/web/lost-requests/lost-request.ts";
import type { AutosaveResult } from "./autosave-protocol.ts";
import { FormAutosave, findRestoredField, type SaveStatus } from "./form-autosave.ts";

/**
 * Saves the wizard's form as its fields are typed in, with scripting. `formKey` changes with the step. Leaving the page
 * saves first, and asks if that fails.
 */
export function useAutosave({ href, formKey }: { href: string | undefined; formKey: string }) {
  const [status, setStatus] = useState<SaveStatus>({ state: "unchanged" });
  const [result, setResult] = useState<AutosaveResult>();
  /** The field being typed in, whose new errors wait until it is left. */
  const [typedIn, setTypedIn] = useState<string>();
  const autosave = useRef<FormAutosave>();
  const afterPress = useAfterPress();

  useEffect(() => {
    if (!href) return;
    let target = href;
    const page = window.location.pathname;
    const own = new FormAutosave({
      form: () => document.querySelector<HTMLFormElement>("form#wizard"),
      href: () => target,
      // An answer may come after its step was left.
      onStatus: (changed) => afterPress(() => autosave.current === own && setStatus(changed)),
      onResult: (saved) => {
        afterPress(() => autosave.current === own && setResult(saved));
        target = adoptDraft(page, target, saved);
      },
    });
    autosave.current = own;
    setStatus({ state: "unchanged" });
    setResult(undefined);
    const form = document.querySelector<HTMLFormElement>(`form#wizard[data-key="${formKey}"]`);
    const restored = form && findRestoredField(form);
    if (restored) own.noteChange(restored);
    const save = () => own.isDirty && own.flush();
    const leave = (event: BeforeUnloadEvent) => {
      if (save()) event.preventDefault();
    };
    // A Next that was lost offline has nothing left to report once its step is saved.
    const saveOnline = async () => {
      if (await save()) dismissLostRequest();
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("online", saveOnline, { signal });
    window.addEventListener("beforeunload", leave, { signal });
    window.addEventListener("visibilitychange", save, { signal });
    window.addEventListener("formdata", returnToShownUrl, { signal });
    return () => listening.abort();
  }, [href, formKey, afterPress]);

  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const leaves = currentLocation.pathname !== nextLocation.pathname || currentLocation.search !== nextLocation.search;
    if (leaves && autosave.current?.isDirty) return true;
    if (leaves) autosave.current?.finish();
    return false;
  });
  const noteChange = useCallback((field: string) => autosave.current?.noteChange(field), []);
  const [asks, setAsks] = useState(false);
  useEffect(() => {
    if (blocker.state !== "blocked") return setAsks(false);
    autosave.current?.flush().then((isSaved) => {
      if (!isSaved) return setAsks(true);
      autosave.current?.finish();
      blocker.proceed();
    });
  }, [blocker]);

  return {
    status,
    result,
    typedIn,
    isDirty: () => autosave.current?.isDirty ?? false,
    noteChange,
    onInput: ({ target }: FormEvent<HTMLFormElement>) => {
      const name = nameOf(target);
      setTypedIn(result?.problems[name] ? undefined : name);
      autosave.current?.noteChange(name);
    },
    onBlur: (_: FocusEvent<HTMLFormElement>) => {
      afterPress(() => setTypedIn(undefined));
      autosave.current?.flush();
    },
    onSubmit: () => autosave.current?.pause(),
    leaving: {
      asks,
      stay: () => blocker.reset?.(),
      leave: () => blocker.proceed?.(),
    },
  };
}

/**
 * Makes the URL of a new campaign that of its draft, so that a reload shows the draft, unless the page was left for
 * another. Returns the URL to save to next.
 */
function adoptDraft(page: string, target: string, { href }: AutosaveResult): string {
  const draft = /([\w-]+)\/edit/.exec(href)?.[1];
  if (!draft || target.includes("campaign=")) return target;
  if (window.location.pathname === page) window.history.replaceState(window.history.state, "", href);
  return `${target}&campaign=${draft}`;
}

/** Makes a form of the layout return to the URL that `adoptDraft` gave the page, which the router does not know. */
function returnToShownUrl({ formData }: FormDataEvent): void {
  const { href, origin } = window.location;
  if (formData.has("back")) formData.set("back", href.slice(origin.length));
}

function nameOf(target: EventTarget): string {
  return target instanceof Element ? (target.getAttribute("name") ?? "") : "";
}
