import { expect, test } from "@playwright/test";

test("the landing page leads to both portals and to its own sections", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Advertise to people who already buy.");
  await expect(page.getByRole("link", { name: "Advertiser Portal" })).toHaveAttribute("href", "/advertiser/login");
  await expect(page.getByRole("link", { name: "Publisher Portal" })).toHaveAttribute("href", "/publisher/login");
  await expect(page.getByRole("button", { name: "Logout" })).toHaveCount(0);
  for (const name of ["How it works", "Plans", "Questions"]) {
    await page.getByRole("navigation", { name: "On this page" }).getByRole("link", { name }).click();
    await expect(page.getByRole("heading", { level: 2, name })).toBeInViewport();
  }
  const answer = page.getByText("No. They see its name, description");
  await expect(answer).toBeHidden();
  await page.getByText("Do advertisers ever see who is in an audience?").click();
  await expect(answer).toBeVisible();
});

test("the Dev Testing Panel can be hidden, comes back, and opens both test modes", async ({ page }) => {
  await page.goto("/");
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

test("terms and privacy can be read from every public page", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Terms of Service" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Terms of Service" })).toBeVisible();
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page.getByText("These hashes are pseudonymous, not anonymous.")).toBeVisible();
});
