import type { Page } from "@playwright/test";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";

/** The widths of windows at which every screen is measured: phones, tablets and desktops. */
const windowWidths = [320, 390, 768, 820, 1024, 1180, 1280, 1366, 1920] as const;

/**
 * The widths at which a screen is measured, by its place in the list of screens: in the full run all of them. In the
 * small one the narrowest, which breaks first, and one of the others in turn, so that a portal's screens have each
 * width several times.
 */
export function widthsOf(place: number): readonly number[] {
  if (isFullFaultRun) return windowWidths;
  const [narrowest, ...others] = windowWidths;
  return [narrowest, ...others.filter((_, index) => index === place % others.length)];
}

/**
 * Divides a screen's widths by loads of the page: a thank-you screen leads on after ten seconds, so each load measures
 * one.
 */
export function widthsByLoad(name: string, widths: readonly number[] = windowWidths): (readonly number[])[] {
  return name.startsWith("thank you") ? widths.map((width) => [width]) : [widths];
}

/** Resizes the loaded page through the widths and returns what leaves its place, one readable line for each fault. */
export async function findLayoutFaults(page: Page, widths: readonly number[] = windowWidths): Promise<string[]> {
  await page.evaluate(enlargeContent);
  const faults: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await nextFrames(page);
    let found = await page.evaluate(measureLayout);
    // The browser may need some frames more until container queries match the new width.
    for (let tries = 0; found.length > 0 && tries < 5; tries += 1) {
      await page.waitForTimeout(100);
      found = await page.evaluate(measureLayout);
    }
    for (const fault of found) faults.push(`${width}: ${fault}`);
  }
  return faults;
}

/** Waits for two frames; where no script runs there is no callback for them, so a moment has to do. */
export async function nextFrames(page: Page): Promise<void> {
  const frames = page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await Promise.race([frames.catch(() => undefined), page.waitForTimeout(500)]);
}

/**
 * Replaces, in the page, each name of a row by a long one and each amount of money by a large one, and names a file
 * wherever it may be named.
 */
function enlargeContent(): void {
  const longName = "Zusammengehörigkeitsgefühl for the Extraordinarily Long Autumn Catalog of Everything 2026";
  for (const name of document.querySelectorAll(".row-link, .row-name")) {
    name.textContent = longName;
    name.setAttribute("title", longName);
  }
  for (const text of document.querySelectorAll(".page-header :is(h1, p), .dialog-header h2, .notice strong")) {
    text.append(" customers_export_of_the_extraordinarily_long_autumn_2026_final_FINAL.csv");
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest("script, style, svg, option, .axis")) continue;
    const text = node.nodeValue ?? "";
    const larger = text.replace(/\$\d[\d,]*\.\d\d/g, "$1,234,567.89").replace(/\$\d[\d,]*(?![\d.,])/g, "$1,234,567");
    if (larger !== text) node.nodeValue = larger;
  }
}

/** Runs in the page. */
function measureLayout(): string[] {
  const faults = new Set<string>();
  const tolerance = 1;
  const root = document.documentElement;
  const range = document.createRange();
  if (root.scrollWidth > root.clientWidth) faults.add(`the page scrolls sideways to ${root.scrollWidth}`);

  for (const table of document.querySelectorAll(".data-table")) {
    const card = table.closest(".card, dialog");
    const caption = table.querySelector("caption")?.textContent ?? "";
    const isNarrow = getComputedStyle(table).display === "block";
    const { right } = table.getBoundingClientRect();
    if (card && right > card.getBoundingClientRect().right + tolerance) {
      faults.add(`table “${caption}” ends at ${right}, its card at ${card.getBoundingClientRect().right}`);
    }
    for (const row of table.querySelectorAll("tbody tr")) {
      if (row.querySelector(".wraps")) continue;
      const { height } = row.getBoundingClientRect();
      if (isNarrow && height > 81) faults.add(`a row of “${caption}” is ${height} high in two lines`);
      if (!isNarrow && (height > 57 || height < 43)) faults.add(`a row of “${caption}” is ${height} high`);
    }
    for (const row of isNarrow ? table.querySelectorAll("tbody tr") : []) {
      const end = row.querySelector(".place-title")?.getBoundingClientRect().right ?? 0;
      for (const figure of row.querySelectorAll(".place-amount, .place-status")) {
        range.selectNodeContents(figure);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (rects.some(({ left }) => left < end + 8)) faults.add(`a figure of “${caption}” touches the title`);
      }
    }
    // The line above the table names exactly the chosen columns that the card leaves out, but for one that is in the
    // title.
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent?.replace(/ [↑↓]$/, ""));
    const cells = table.querySelector("tbody tr")?.children;
    for (const span of table.parentElement?.querySelectorAll(".left-out > span") ?? []) {
      const name = span.textContent ?? "";
      const isNamed = span.getClientRects().length > 0;
      const isShown = Boolean(cells?.[heads.indexOf(name)]?.getClientRects().length);
      const isInTitle = !isNarrow && span.closest(".until-wide") && table.matches("[class*=detail-below]");
      if (isShown === isNamed && !isInTitle) {
        faults.add(`“${caption}” ${isShown ? "shows" : "lacks"} ${name}, and the line above says otherwise`);
      }
    }
    // Rows begin below the title of their card.
    const heading = table.closest(".card")?.querySelector(":scope > .card-header > h2");
    const first = table.querySelector<HTMLElement>(isNarrow ? "tbody tr" : "tbody td");
    if (heading && first) {
      const start = first.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(first).paddingLeft);
      const { left } = heading.getBoundingClientRect();
      if (Math.abs(start - left) > tolerance)
        faults.add(`rows of “${caption}” begin at ${start}, their title at ${left}`);
    }
    const title = table.querySelector("tbody .place-title");
    if (title && title.getBoundingClientRect().width < 80) {
      faults.add(`the title of “${caption}” is ${title.getBoundingClientRect().width} wide`);
    }
  }

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const clippers = new Map<Element, Element | null>();
  function clipperOf(element: Element): Element | null {
    const known = clippers.get(element);
    if (known !== undefined) return known;
    const { overflowX, clipPath, position } = getComputedStyle(element);
    const clips = overflowX !== "visible" || clipPath !== "none" || position === "fixed";
    const found = clips ? element : element.parentElement ? clipperOf(element.parentElement) : null;
    clippers.set(element, found);
    return found;
  }
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? "";
    const element = node.parentElement;
    if (
      !text.trim() ||
      !element ||
      element.closest("script, style, svg, noscript, option, textarea, iframe, details:not([open]) > div")
    )
      continue;
    range.selectNodeContents(node);
    const rects = range.getClientRects();
    if (rects.length === 0) continue;
    const box = element.closest(".tile, td, .card, dialog");
    const clipper = clipperOf(element);
    const clips = clipper !== null && clipper !== box && (!box || box.contains(clipper) || !clipper.contains(box));
    if (box && !clips) {
      const end = box.getBoundingClientRect().right + tolerance;
      const start = box.getBoundingClientRect().left - tolerance;
      for (const rect of rects) {
        if (rect.right > end || rect.left < start)
          faults.add(`“${text.trim().slice(0, 60)}” leaves its ${box.className || box.tagName}`);
      }
    }
    // A description that is cut after two lines is prose, which may end anywhere.
    if (element.closest(".line-clamp-2")) continue;
    for (const amount of text.matchAll(/[−+-]?\$\d[\d,]*(\.\d+)?|\d{1,3}(,\d{3})+(\.\d+)?/g)) {
      range.setStart(node, amount.index);
      range.setEnd(node, amount.index + amount[0].length);
      const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
      if (tops.some((top) => Math.abs(top - (tops[0] ?? 0)) > 3)) faults.add(`“${amount[0]}” breaks`);
    }
  }
  // The way back first, the main action last, and all at the end (docs/style.md, Buttons).
  for (const actions of document.querySelectorAll(".actions, .dialog-footer")) {
    if (actions.closest("nav, .list-menu, .message-page, .landing")) continue;
    // A menu of more actions, an icon, stands after all of them.
    const buttons = [...actions.querySelectorAll<HTMLElement>(".button:not(.button-icon)")].filter(
      (button) => button.closest(".actions, .dialog-footer") === actions && button.getClientRects().length > 0,
    );
    const texts = buttons.map((button) => button.textContent?.trim() ?? "").join(", ");
    const isMain = (button: HTMLElement) => button.matches(".button-primary, .button-danger");
    if (buttons.slice(0, -1).some(isMain) && !buttons.slice(0, -1).every(isMain))
      faults.add(`the main action is not last: ${texts}`);
    if (
      buttons
        .slice(1)
        .some((button) => /^(Cancel|Close|Back|Keep)\b/.test(button.textContent?.trim() ?? "") && !isMain(button))
    )
      faults.add(`the way back is not first: ${texts}`);
    const last = buttons.at(-1);
    // A dialog's way back is at its start, when other buttons are at its end.
    if (
      !last ||
      actions.querySelector(".actions") ||
      !actions.closest(".card-body, .card-footer, .dialog, form.stack, form.form-grid")
    )
      continue;
    // A form of a card is as wide as the card.
    const form = actions.closest(".card-body > form, .card-body > .form-grid");
    if (form?.parentElement && form.lastElementChild === actions) {
      const { paddingRight } = getComputedStyle(form.parentElement);
      const room = form.parentElement.getBoundingClientRect().right - Number.parseFloat(paddingRight);
      if (form.getBoundingClientRect().right < room - 2) faults.add(`a form does not fill its card: ${texts}`);
    }
    const { right, left } = actions.getBoundingClientRect();
    const end = Math.max(...buttons.map((button) => button.getBoundingClientRect().right));
    const { paddingRight } = getComputedStyle(actions);
    if (end < right - Number.parseFloat(paddingRight) - 2 && right - left > 0)
      faults.add(`buttons end at ${end}, their place at ${right}: ${texts}`);
  }
  // Links in a line that scrolls sideways fade at its end, because no scrollbar shows that there are more.
  for (const links of document.querySelectorAll("nav")) {
    const style = getComputedStyle(links);
    if (!/auto|scroll/.test(style.overflowX) || links.scrollWidth <= links.clientWidth + tolerance) continue;
    const hidden = links.scrollWidth - links.clientWidth - links.scrollLeft;
    const fade = style.maskImage === "none" ? 0 : Number.parseFloat(style.getPropertyValue("--fade-end"));
    if (hidden > tolerance ? fade === 0 : fade > 24)
      faults.add(`${hidden} pixels of “${links.getAttribute("aria-label")}” run on, and fade over ${fade}`);
  }
  // A select that cuts its chosen option.
  for (const select of document.querySelectorAll("select")) {
    const style = getComputedStyle(select);
    const canvas = document.createElement("canvas").getContext("2d");
    if (!canvas || select.getClientRects().length === 0) continue;
    canvas.font = style.font;
    const label = select.selectedOptions[0]?.textContent ?? "";
    const room = select.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    const isMonth = /^[A-Z][a-z]+ \d{4}$/.test(label);
    if (isMonth && canvas.measureText(label).width > room + tolerance) faults.add(`the select cuts “${label}”`);
  }
  return [...faults];
}
