import { expect, type Page } from "@playwright/test";
import { registerCompany, uniqueName } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { test } from "#tests/support/browser/test.ts";

type Case = { name: string; open: (page: Page) => Promise<unknown>; button: string; message: string | RegExp };

const cases: Case[] = [
  {
    name: "deletion of a draft",
    open: async (page) => {
      await registerCompany(page, "advertiser");
      const { campaign } = await (await page.request.post("/api/campaigns", { data: { name: "Mistake" } })).json();
      await page.goto(`/advertiser/campaigns/${campaign.id}/delete`);
    },
    button: "Delete draft",
    message: "Draft deleted",
  },
  {
    name: "deletion of a saved view",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/views?list=campaigns&query=status%3Dpaused");
      await page.getByLabel("Name").fill(uniqueName("Paused"));
      await page.getByRole("button", { name: "Save view" }).click();
      await page.waitForURL(/saved=/);
      await page.goto(`/advertiser/test-mode/views/${new URL(page.url()).searchParams.get("saved")}?ask=delete`);
    },
    button: "Delete view",
    message: /^View “.*” deleted$/,
  },
];

for (const { name, open, button, message } of cases) {
  test(`the ${name} is sent once, although its button is pressed again before the next page shows`, async ({
    page,
  }) => {
    await open(page);
    const posts: string[] = [];
    page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));
    const release = await holdBack(page, /\.data(\?|$)/, "GET");
    const pressed = page.getByRole("button", { name: button, exact: true });
    const responded = page.waitForResponse((response) => response.request().method() === "POST");
    await pressed.click();
    await responded;
    await expect(page.locator(".pending-bar[data-busy]")).toBeAttached();
    await pressed.click({ force: true });
    release();
    await expect(page.getByText(message)).toBeVisible();
    expect(posts).toHaveLength(1);
  });
}
