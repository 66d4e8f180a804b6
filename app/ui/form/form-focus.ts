import { type FocusEvent, useEffect, useRef } from "react";

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
 * The form's `onBlur`: calls `check` with the name of the field that lost focus. While a mouse button is down it waits
 * for its release, because an appearing error would move the pressed element away from the pointer, and the click would
 * be lost.
 */
export function useChecksOnBlur(check: (name: string) => void) {
  const pressed = useRef(false);
  useEffect(() => {
    const press = () => {
      pressed.current = true;
    };
    const release = () => {
      pressed.current = false;
    };
    document.addEventListener("pointerdown", press, true);
    document.addEventListener("pointerup", release, true);
    document.addEventListener("pointercancel", release, true);
    return () => {
      document.removeEventListener("pointerdown", press, true);
      document.removeEventListener("pointerup", release, true);
      document.removeEventListener("pointercancel", release, true);
    };
  }, []);

  return ({ target, relatedTarget }: FocusEvent<HTMLFormElement>) => {
    const left: EventTarget = target;
    // The window lost focus, or another radio button of the same field got it.
    if (!isField(left) || document.activeElement === left) return;
    if (isField(relatedTarget) && relatedTarget.name === left.name) return;
    const checkLeft = () => {
      if (left.isConnected && document.activeElement !== left) check(left.name);
    };
    if (!pressed.current) return checkLeft();
    const afterClick = () => setTimeout(checkLeft);
    document.addEventListener("pointerup", afterClick, { once: true });
  };
}

function isField(element: unknown): element is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
  );
}
