import { expect, type Locator, type Page } from "@playwright/test";

const maxPresses = 200;

/**
 * Returns whether an element has the focus, each time it is called. The element is looked up again only if the page has
 * replaced it: finding an element by its role takes longer than pressing a key.
 */
async function watchFocus(target: Locator): Promise<() => Promise<boolean>> {
  await expect(target).toBeVisible();
  let found = await target.elementHandle();
  return async () => {
    const read = (element: Node) => ({
      isReplaced: !element.isConnected,
      isFocused: element === document.activeElement,
    });
    const state = await found?.evaluate(read);
    if (state?.isReplaced) found = await target.elementHandle();
    return state?.isFocused ?? false;
  };
}

/** Presses Tab until the element has the focus, and expects to see that it has. */
async function tabTo(page: Page, target: Locator) {
  const hasFocus = await watchFocus(target);
  for (let count = 0; count < maxPresses; count += 1) {
    if (await hasFocus()) return expectVisibleFocus(page);
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}`);
}

/** Activates a button or link. */
export async function press(page: Page, target: Locator) {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

export async function type(page: Page, target: Locator, text: string) {
  await tabTo(page, target);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** Checks a checkbox. */
export async function check(page: Page, target: Locator) {
  await tabTo(page, target);
  await page.keyboard.press("Space");
  await expect(target).toBeChecked();
}

/** Selects a radio button: Tab enters its group, arrows move in it. */
export async function choose(page: Page, target: Locator) {
  const hasFocus = await watchFocus(target);
  const group = await target.getAttribute("name");
  const inGroup = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
  for (let count = 0; (await inGroup()) !== group; count += 1) {
    if (count > maxPresses) throw new Error(`Tab does not reach ${group}`);
    await page.keyboard.press("Tab");
  }
  for (let count = 0; !(await hasFocus()); count += 1) {
    if (count > maxPresses) throw new Error(`Arrows do not reach ${target}`);
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Space");
  await expect(target).toBeChecked();
  await expectVisibleFocus(page);
}

/** The focused element, or the card around it, has an outline or a ring, and is in the window. */
async function expectVisibleFocus(page: Page) {
  await expect(page.locator(":focus")).toBeInViewport();
  const isMarked = await page.locator(":focus").evaluate((focused) => {
    const around = [focused, focused.parentElement, focused.closest("label"), focused.closest("li")];
    return around.some((element) => {
      if (!element) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
  });
  expect(isMarked, "the focus is visible").toBe(true);
}
