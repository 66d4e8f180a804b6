import { useState } from "react";

/**
 * Returns what a form needs that another one replaces with each query: `attach` is its ref. The field that has the
 * focus gets it back in the new form, with the caret, and with what was entered there after the last submission. All
 * other fields show the query.
 */
export function useRestoredField() {
  return useState(createRestoredField)[0];
}

function createRestoredField() {
  let form: HTMLFormElement | null = null;
  let focused: Element | null = null;
  let entered: EventTarget | null = null;
  return {
    /** React calls it while the old form is still in the page, and then with the new form. */
    attach: (next: HTMLFormElement | null) => {
      const { activeElement } = document;
      if (next && focused) entered = restore(next, focused, entered === focused);
      focused = form?.contains(activeElement) ? activeElement : null;
      form = next;
    },
    onEnter: (field: EventTarget) => {
      entered = field;
    },
    onSubmit: () => {
      entered = null;
    },
  };
}

/** Focuses the field of the form that the old one was. Returns it if it has what was entered in the old one. */
function restore(form: HTMLFormElement, old: Element, isEntered: boolean): Element | null {
  const field = [...form.elements].find(
    (each) => each.nodeName === old.nodeName && each.getAttribute("name") === old.getAttribute("name"),
  );
  if (!(field instanceof HTMLElement)) return null;
  field.focus({ preventScroll: true });
  if (isEntered && "value" in field && "value" in old) field.value = old.value;
  if (field instanceof HTMLInputElement && old instanceof HTMLInputElement && old.selectionStart !== null) {
    field.setSelectionRange(old.selectionStart, old.selectionEnd);
  }
  return isEntered ? field : null;
}
