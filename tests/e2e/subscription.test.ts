import { type Browser, expect, type Page } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

test("a plan starts at the shown price, is confirmed at the bank, canceled and kept; a declined card says why", async ({
  browser,
}, { project }) => {
  const page = await asNewPublisher(browser);
  const add = async (token: string) => {
    const created = await page.request.post("/api/billing/payment-methods", { data: { token } });
    const { payment_method } = await created.json();
    await page.request.post(`/api/billing/payment-methods/${payment_method.id}/default`, { data: {} });
  };
  const tab = "/publisher/billing?tab=subscription";
  await add("tok_declined");
  await page.goto(tab);
  await expect(page.getByText("No active subscription")).toBeVisible();
  await page.getByRole("link", { name: "Upgrade to Starter" }).click();
  await page.getByRole("button", { name: "Pay $99.00" }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toHaveText(/The card was declined\. Use another payment method/);
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("The card was declined.");
  if (project.name === "scripting") await expect(alert.locator("..")).toBeFocused();
  await expect(page.getByRole("button", { name: "Pay $99.00" })).toBeVisible();

  await add("tok_confirmation");
  await page.goto("/publisher/billing/subscription/plans/starter");
  await page.getByRole("button", { name: "Pay $99.00" }).click();
  await page.getByRole("button", { name: "Confirm payment" }).click();
  await expect(page.getByRole("heading", { name: "Subscription Activated" })).toBeVisible();

  await page.goto(tab);
  await expect(page.getByRole("button", { name: "Current plan" })).toBeDisabled();
  await page.getByRole("link", { name: "Upgrade to Professional" }).click();
  await expect(
    page.getByText(/Today you pay \$200\.00: the price difference, prorated for the (\d+) of \1 days left/),
  ).toBeVisible();
  await page.goto("/publisher/billing/subscription/cancel");
  await page.getByRole("button", { name: "Cancel plan" }).click();
  await expect(page.getByText(/Your plan ends on/)).toBeVisible();
  await page.getByRole("link", { name: "Keep Starter" }).click();
  await page.getByRole("button", { name: "Keep plan" }).click();
  await expect(page.getByText("Your Starter plan stays active.")).toBeVisible();
});

/** Opens a page as a newly registered publisher. */
async function asNewPublisher(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const { request } = page;
  const { redirectUrl } = await (await request.get("/api/oauth/google/redirect_url")).json();
  const email = `plan${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}@example.com`;
  const back = await request.get(`${redirectUrl}&login_hint=${email}`, { maxRedirects: 0 });
  const code = new URL(back.headers().location ?? "", "http://localhost").searchParams.get("code");
  await request.post("/api/sessions", { data: { code } });
  const created = await request.post("/api/users/register", {
    data: { user_type: "publisher", company_name: "Plan Goods", website: "https://plan-goods.example" },
  });
  expect(created.ok()).toBe(true);
  return page;
}
