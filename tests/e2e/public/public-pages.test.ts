import { expect } from "@playwright/test";
import { newPageAs } from "#tests/support/browser/browser-users.ts";
import { firstScreenshot } from "#tests/support/browser/first-screenshot.ts";
import { test } from "#tests/support/browser/test.ts";

test("the landing page leads to both portals and to its own sections, and shows every image in its shape", async ({
  page,
}) => {
  await page.goto("/");
  await test.step("its links lead to both portals and to its sections", async () => {
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Advertise to people who already buy.");
    await expect(page.getByRole("link", { name: "Advertiser Portal" })).toHaveAttribute("href", "/advertiser/login");
    await expect(page.getByRole("link", { name: "Publisher Portal" })).toHaveAttribute("href", "/publisher/login");
    await expect(page.getByRole("button", { name: "Logout" })).toHaveCount(0);
    for (const [name, title] of Object.entries(sections)) {
      await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name }).click();
      await expect(page.getByRole("heading", { level: 2, name: title })).toBeInViewport();
    }
    const option = page.getByText("No. They see its name, description");
    await expect(option).toBeHidden();
    await page.getByText("Do advertisers ever see who is in an audience?").click();
    await expect(option).toBeVisible();
  });

  await test.step("every image loads in the shape that is reserved for it", async () => {
    const images = page.locator(".screenshot img");
    await expect(images).toHaveCount(3);
    for (const image of await images.all()) {
      await image.scrollIntoViewIfNeeded();
      const shapes = () =>
        image.evaluate((element: HTMLImageElement) => ({
          isLoaded: element.complete && element.naturalWidth > 0,
          isStretched:
            Math.abs(element.clientWidth / element.clientHeight - element.naturalWidth / element.naturalHeight) > 0.01,
        }));
      await expect.poll(shapes).toEqual({ isLoaded: true, isStretched: false });
    }
  });

  await test.step("the Dev Testing Panel can be hidden, comes back, and opens both test modes", async () => {
    const panel = page.getByRole("complementary", { name: "Dev Testing Panel" });
    const link = panel.getByRole("link", { name: "Publisher" });
    await expect(panel.getByRole("link", { name: "Advertiser" })).toHaveAttribute("href", "/advertiser/test-mode");
    await panel.getByText("Dev Testing Panel").click();
    await expect(link).toBeHidden();
    await panel.getByText("Dev Testing Panel").click();
    await link.click();
    await expect(page).toHaveURL(/\/publisher\/test-mode$/);
    await expect(
      page.getByText("TEST MODE: You're viewing the publisher portal in development mode.", { exact: true }),
    ).toBeVisible();
  });
});

test("the landing page and the legal texts load no script", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts.push(request.url());
  });
  for (const path of ["/", "/terms", "/privacy"]) {
    await page.goto(path, { waitUntil: "networkidle" });
    await expect(page.locator("script")).toHaveCount(0);
  }
  expect(scripts).toEqual([]);
});

/** The links of the header, and the titles of their sections. */
const sections = {
  Advertisers: "For advertisers",
  Publishers: "For publishers",
  Money: "Where the money goes",
  Privacy: "What is kept of a customer list",
  Plans: "Plans",
  Questions: "Questions",
};

test("the header leads to both sign-ins and to the portals", async ({ page }) => {
  await page.goto("/");
  const header = page.getByRole("banner");
  await header.getByText("Sign in").click();
  await expect(header.getByRole("link", { name: "As an advertiser" })).toBeVisible();
  await header.getByText("Sign in").click();
  await header.getByRole("link", { name: "Get started" }).click();
  await expect(page.getByRole("link", { name: "Publisher Portal" })).toBeInViewport();
  await header.getByText("Sign in").click();
  await header.getByRole("link", { name: "As a publisher" }).click();
  await expect(page).toHaveURL(/\/publisher\/login\?redirectTo=/);
  await expect(page.getByRole("heading", { name: "What happens next" })).toBeVisible();
  await page.getByRole("link", { name: "Advertiser sign-in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Advertiser sign-in");
});

test("a plan's button leads a newcomer through sign-in and registration to that plan", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Choose Professional" }).click();
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("Use another email address").fill(`store-${Date.now()}-${Math.random()}@example.org`);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Complete Your Publisher Profile");
  await page.getByLabel("Company name").fill("Lantern & Co");
  await page.getByRole("button", { name: "Complete Registration" }).click();
  await expect(page).toHaveURL(/\/publisher\/billing\/subscription\/plans\/professional$/);
});

test("the images have the theme that the person chose, whatever the system's is", async ({ browser }) => {
  const page = await newPageAs(browser, "second-advertiser@example.com");
  for (const [theme, system] of [
    ["Dark", "light"],
    ["Light", "dark"],
  ] as const) {
    await page.emulateMedia({ colorScheme: system });
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto("/advertiser/help");
    await page.getByLabel(": account").click();
    await page.getByRole("button", { name: theme }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme.toLowerCase());
    await page.goto("/");
    await expect
      .poll(() => firstScreenshot(page))
      .toMatch(new RegExp(`/dashboard-wide-${theme.toLowerCase()}\\.webp$`));
    await page.setViewportSize({ width: 390, height: 844 });
    await expect
      .poll(() => firstScreenshot(page))
      .toMatch(new RegExp(`/dashboard-phone-${theme.toLowerCase()}\\.webp$`));
  }
});

test("terms and privacy can be read from every public page", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Terms of Service" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms of Service" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByText("These hashes are pseudonymous, not anonymous.")).toBeVisible();
});
