import { expect, test } from "@playwright/test";
import { expectLooks, findViolations } from "#tests/support/axe.ts";

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
const looks = [1280, 390].flatMap((width) => [
  { width, colorScheme: "light" } as const,
  { width, colorScheme: "dark" } as const,
]);

test("axe finds nothing on the public pages, light and dark, wide and narrow", async ({ page }) => {
  for (const path of pages) {
    await page.goto(path);
    await expectLooks(page, looks, path);
  }
});

test("axe finds what is wrong where something is", async ({ page }) => {
  await page.goto("/terms");
  // What is added before React has taken the page over goes again.
  await page.waitForFunction(() => Object.keys(document.documentElement).some((key) => key.startsWith("__reactFiber")));
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
  expect(await findViolations(page)).toEqual([
    // The first and the last of those that look alike.
    expect.stringMatching(/^color-contrast: (?:(?! \| ).)*hardly to be read(?:(?! \| ).)* \| .*hardly to be read/),
    expect.stringMatching(/^image-alt: <img> \| <img> \| <img>/),
  ]);
});
