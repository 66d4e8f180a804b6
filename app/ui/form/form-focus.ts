import { type FocusEvent, useCallback, useEffect, useRef } from "react";

/** Focuses the first of the named fields that is visible, or else `otherwise`. */
export function focusFirst(formId: string, names: readonly string[], otherwise: HTMLElement | null) {
  const form = document.forms.namedItem(formId);
  for (const element of form?.elements ?? []) {
    const isWrong = isField(element) && names.includes(element.name);
    if (isWrong && element.getClientRects().length > 0) return element.focus();
  }
  otherwise?.focus();
}

/**
 * Returns a function that calls back at once, or, while a mouse button or a tap presses an element, after its click:
 * what appears in between would move the pressed element away from the pointer, and the click would be lost.
 */
export function useAfterPress(): (callback: () => void) => void {
  const pressed = useRef(false);
  const waiting = useRef<(() => void)[]>([]);
  useEffect(() => {
    const listening = new AbortController();
    const options = { capture: true, signal: listening.signal };
    const press = ({ button }: MouseEvent) => {
      // The menu of another button may swallow its release.
      if (button === 0) pressed.current = true;
    };
    const release = () => {
      pressed.current = false;
      for (const callback of waiting.current.splice(0)) setTimeout(callback);
    };
    // A tap ends its pointer's press before it moves focus, between the mouse's events that follow.
    for (const type of ["pointerdown", "mousedown"] as const) document.addEventListener(type, press, options);
    for (const type of ["pointerup", "pointercancel", "mouseup"] as const)
      document.addEventListener(type, release, options);
    return () => listening.abort();
  }, []);

  return useCallback((callback) => {
    if (pressed.current) waiting.current.push(callback);
    else callback();
  }, []);
}

/** The form's `onBlur`: calls `check` with the name of the field that lost focus, after the press that moved it. */
export function useChecksOnBlur(check: (name: string) => void) {
  const afterPress = useAfterPress();
  return ({ target, relatedTarget }: FocusEvent<HTMLFormElement>) => {
    const left: EventTarget = target;
    // The window lost focus, or another radio button of the same field got it.
    if (!isField(left) || document.activeElement === left) return;
    if (isField(relatedTarget) && relatedTarget.name === left.name) return;
    afterPress(() => {
      if (left.isConnected && document.activeElement !== left) check(left.name);
    });
  };
}

function isField(element: unknown): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
