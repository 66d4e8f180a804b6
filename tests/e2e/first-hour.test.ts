import { expect, type Page } from "@playwright/test";
import { expectLooks } from "#tests/support/browser/axe.ts";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

async function signIn(page: Page, email: string) {
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByLabel("Use another email address").fill(email);
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

const newEmail = () => `first-hour-${Date.now()}-${Math.random()}@example.org`;

test("a new advertiser goes from sign-in to a checklist that ticks itself, and to an example", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Advertiser Portal" }).click();
  await signIn(page, newEmail());
  await expect(page).toHaveURL("/register?type=advertiser");
  await page.getByLabel("Company name").fill("Juniper Home");
  await page.getByRole("button", { name: "Complete Registration" }).click();
  await expect(page).toHaveURL("/advertiser/dashboard");
  await expect(page.getByText("0 of 6 done")).toBeVisible();

  await page.getByRole("link", { name: /To do:\s*Complete your company profile/ }).click();
  await page.getByLabel("Website").fill("https://juniper.example");
  await page.getByLabel("Business vertical").selectOption("ecommerce");
  await page.getByRole("button", { name: "Save profile" }).click();
  await expect(page).toHaveURL("/advertiser/dashboard");
  await expect(page.getByRole("link", { name: /Done:\s*Complete your company profile/ })).toBeVisible();
  await expect(page.getByText("1 of 6 done")).toBeVisible();

  await page.getByRole("button", { name: "Hide this list" }).click();
  await expect(page.getByText("5 steps left")).toBeVisible();
  await expect(page.getByText("1 of 6 done")).toBeHidden();
  await page.getByRole("button", { name: "Show the list" }).click();
  await expect(page.getByText("1 of 6 done")).toBeVisible();

  await page.getByRole("button", { name: "Start from an example" }).click();
  await expect(page).toHaveURL(/\/advertiser\/campaigns\/[^/]+\/edit\?step=1$/);
  await expect(page.getByLabel("Campaign name")).toHaveValue("Example campaign");
  await page.goto("/advertiser/dashboard");
  await page.getByRole("link", { name: /Started:\s*Launch your first campaign/ }).click();
  await expect(page).toHaveURL(/\/edit\?step=6$/);
});

test("a person who asked for no portal is told what to do next", async ({ page, javaScriptEnabled }) => {
  const response = await page.request.get("/api/oauth/google/redirect_url");
  const { redirectUrl } = (await response.json()) as { redirectUrl: string };
  await page.goto(redirectUrl);
  await page.getByLabel("Use another email address").fill(newEmail());
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { name: "One step left: register your company" })).toBeVisible();
  if (javaScriptEnabled !== false) {
    await expectLooks(
      page,
      [
        { width: 390, colorScheme: "dark" },
        { width: 1280, colorScheme: "light" },
      ],
      "landing, newcomer",
    );
  }
  await page.getByRole("link", { name: "Register as a publisher" }).click();
  await expect(page).toHaveURL("/register?type=publisher");
  await page.getByLabel("Company name").fill("Juniper Store");
  await page.getByRole("button", { name: "Complete Registration" }).click();
  await expect(page.getByText("0 of 4 done")).toBeVisible();
  if (javaScriptEnabled !== false) {
    await expectLooks(
      page,
      [
        { width: 390, colorScheme: "light" },
        { width: 1280, colorScheme: "dark" },
      ],
      "dashboard, new publisher",
    );
  }
});

test("a link to the email settings keeps its target through the sign-in", async ({ page }) => {
  await page.goto("/advertiser/profile?section=mails");
  await expect(page).toHaveURL(/\/advertiser\/login/);
  await signIn(page, "advertiser@example.com");
  await expect(page).toHaveURL("/advertiser/profile#mails");
  await expect(page.locator("#mails")).toBeInViewport();
});

test("the time zone of the profile is named in the account menu and used for times on screens", async ({ page }) => {
  await registerCompany(page, "advertiser", "Juniper Home");
  const menu = page.getByLabel("Juniper Home: account");
  const time = page.getByRole("main").locator("time").first();
  await page.goto("/advertiser/activity");
  await expect(time).toHaveText(/ UTC$/);
  await menu.click();
  await page.getByRole("link", { name: /^Time zone and emails\s*UTC$/ }).click();
  await page.getByLabel("Time zone", { exact: true }).selectOption("Asia/Dubai");
  await page.getByRole("button", { name: "Save email settings" }).click();
  await expect(page.getByText("Email settings saved")).toBeVisible();
  await menu.click();
  await expect(page.getByRole("link", { name: /^Time zone and emails\s*Asia\/Dubai$/ })).toBeVisible();
  await page.goto("/advertiser/activity");
  await expect(time).toHaveText(/ UTC\+4$/);
  const kettle = { name: "Kettle", sku: "K-1", category: "Kitchen", price: 49.9 };
  const { product } = await (await page.request.post("/api/products", { data: kettle })).json();
  await page.goto(`/advertiser/products/${product.id}`);
  await expect(page.getByRole("dialog")).toContainText(/Added.* UTC\+4.*Last updated.* UTC\+4/);
  await page.goto("/advertiser/analytics");
  await expect(page.getByText(/Days are in UTC\./)).toBeVisible();
});
