import { expect, type Page } from "@playwright/test";
import { expectLooks, findViolations, looksOf } from "#tests/support/browser/axe.ts";
import { firstScreenshot } from "#tests/support/browser/first-screenshot.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { findLayoutFaults } from "#tests/support/browser/layout-faults.ts";
import { test } from "#tests/support/browser/test.ts";

/** Returns the sum of the page's layout shifts so far. */
const layoutShift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise((done) => {
        let total = 0;
        const observer = new PerformanceObserver((shifts) => {
          for (const entry of shifts.getEntries()) total += (entry as unknown as { value: number }).value;
        });
        observer.observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(total), 200);
      }),
  );

const pages = [
  "/",
  "/advertiser/login",
  "/publisher/login",
  "/terms",
  "/privacy",
  "/unsubscribe?token=none",
  "/thank-you/campaign-created",
  "/thank-you/nonsense",
  "/dev/mailbox",
  "/no/such/page",
];
for (const [place, path] of pages.entries()) {
  test(`axe finds nothing on ${path}, light and dark, wide and narrow`, async ({ page }) => {
    await page.goto(path);
    const looks = new Set([...looksOf("scripting", place), ...looksOf("no scripting", place)]);
    await expectLooks(page, [...looks], path);
  });
}

test("on the landing and sign-in pages nothing leaves its card at any width, and no content moves", async ({
  page,
}) => {
  for (const path of ["/", "/publisher/login"]) {
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.goto(path);
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await page.waitForLoadState("networkidle");
    expect(await layoutShift(page), path).toBeLessThan(0.001);
    expect(await findLayoutFaults(page), path).toEqual([]);
  }
});

for (const path of ["/", "/publisher/login", "/terms"]) {
  test(`no text of ${path} moves when the font is late`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const release = await holdBack(page, /\.woff2$/);
    await page.goto(path, { waitUntil: "domcontentloaded" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    // Longer than a browser waits for a font before it paints.
    await page.waitForTimeout(500);
    release();
    await expect.poll(() => page.evaluate(() => document.fonts.check('16px "Inter Variable"'))).toBe(true);
    expect(await layoutShift(page)).toBeLessThan(0.001);
  });
}

test("a text is as wide without Inter, where the system has Arial or its like", async ({ page }) => {
  await page.goto("/terms");
  const ratios = await page.evaluate(async () => {
    const context = document.createElement("canvas").getContext("2d");
    const text = document.querySelector("main")?.textContent ?? "";
    const widthIn = async (font: string): Promise<number> => {
      await document.fonts.load(font);
      if (context) context.font = font;
      return context?.measureText(text).width ?? 0;
    };
    const hasFallback = await document.fonts.load('16px "Inter Fallback"').catch(() => []);
    if (!hasFallback.some(({ status }) => status === "loaded")) return undefined;
    const compare = async (weight: number) =>
      (await widthIn(`${weight} 16px "Inter Fallback"`)) / (await widthIn(`${weight} 16px "Inter Variable"`));
    return [await compare(400), await compare(600)];
  });
  test.skip(!ratios, "no Arial, and no Liberation Sans");
  for (const ratio of ratios ?? []) expect(ratio).toBeCloseTo(1, 1.5);
});

test("the images are those of the scheme and of the width", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/");
  await expect.poll(() => firstScreenshot(page)).toContain("dashboard-wide-dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await expect.poll(() => firstScreenshot(page)).toContain("dashboard-phone-dark");
});

test("axe finds what is wrong where something is", async ({ page }) => {
  await page.goto("/terms");
  await page.evaluate(() => {
    const careless = document.createElement("p");
    careless.append("hardly to be read", document.createElement("img"));
    careless.style.color = "#ccc";
    careless.style.background = "#fff";
    const alike = [careless.cloneNode(true), careless.cloneNode(true)];
    const careful = document.createElement("p");
    careful.append("well to be read");
    document.querySelector("main")?.append(careful, careless, ...alike);
  });
  // The first and the last of the elements that look alike.
  const contrast = /^color-contrast: (?:(?! \| ).)*hardly to be read(?:(?! \| ).)* \| .*hardly to be read/;
  expect(await findViolations(page)).toEqual([
    expect.stringMatching(contrast),
    expect.stringMatching(/^image-alt: <img> \| <img> \| <img>/),
  ]);
});
