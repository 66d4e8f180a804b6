import type { Locator } from "@playwright/test";

/** Gives a hidden field or a button another value than the page did, such as one that the server rejects. */
export function setValue(field: Locator, value: string): Promise<void> {
  return field.evaluate((element: HTMLInputElement | HTMLButtonElement, text) => {
    element.value = text;
  }, value);
}
