import { expect, test } from "@playwright/test";
import { findViolations } from "#tests/support/axe.ts";

const pages = [
  "/",
  "/terms",
  "/privacy",
  "/unsubscribe?token=none",
  "/thank-you/campaign-created",
  "/thank-you/nonsense",
  "/dev/mailbox",
  "/no/such/page",
];
const widths = [1280, 390];

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing on the public pages, ${colorScheme}, wide and narrow`, async ({ browser }) => {
    for (const width of widths) {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 844 } });
      const page = await context.newPage();
      for (const path of pages) {
        await page.goto(path);
        expect(await findViolations(page), `${path} at ${width}`).toEqual([]);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${path} at ${width} is wider than the window`).toBeLessThanOrEqual(0);
      }
      await context.close();
    }
  });
}

test("axe finds what is wrong where something is", async ({ page }) => {
  await page.goto("/terms");
  // What is added before React has taken the page over goes again.
  await page.waitForFunction(() => Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber")));
  await page.evaluate(() => {
    const careless = document.createElement("p");
    careless.append("hardly to be read", document.createElement("img"));
    careless.style.color = "#ccc";
    careless.style.background = "#fff";
    document.querySelector("main")?.append(careless);
  });
  expect(await findViolations(page)).toEqual([
    expect.stringMatching(/^color-contrast: .*hardly to be read/),
    expect.stringMatching(/^image-alt: <img>/),
  ]);
});
