import { expect, type Page } from "@playwright/test";
import { postgres } from "#db/driver.server.ts";
import { awaitHydration } from "#tests/support/browser/await-hydration.ts";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { test } from "#tests/support/browser/test.ts";

/** The part of the browser's router that a test uses to act before React shows what has arrived. */
type Router = {
  subscribe: (onChange: (state: { navigation: { state: string }; location: { search: string } }) => void) => () => void;
};

/** Registers an advertiser with 60 products on the page: 30 in each of two categories, on pages of 25. */
async function registerCatalog(page: Page) {
  const email = await registerCompany(page, "advertiser", "Sixty Products");
  const sql = postgres(process.env.E2E_DATABASE ?? "", { max: 1 });
  await sql`insert into products (id, account_id, name, sku, category, price_cents)
    select uuidv7(), (select account_id from users where email = ${email}), 'Lamp ' || n, 'L-' || n,
      case when n % 2 = 0 then 'Even' else 'Odd' end, 1000 + n from generate_series(1, 60) n`;
  await sql.end();
}

test("products selected on a page are not counted on another page, in another order or category", async ({ page }) => {
  await registerCatalog(page);
  await page.goto("/advertiser/products?category=Odd");
  const whole = page.locator(".selection-bar").getByRole("checkbox");
  const ticked = page.getByRole("checkbox", { name: /^Select Lamp/, checked: true });
  const selectPage = async () => {
    await whole.click();
    await expect(page.getByText("25 selected", { exact: true })).toBeVisible();
    await expect(ticked).toHaveCount(25);
  };
  const expectNothingSelected = async () => {
    await expect(page.getByText("Select this page")).toBeVisible();
    await expect(whole).not.toBeChecked();
    await expect(page.getByRole("button", { name: "Delete", exact: true })).toBeAttached();
    await expect(ticked).toHaveCount(0);
  };
  await selectPage();
  await page.getByLabel("Apply to").selectOption("all");
  await page.getByRole("link", { name: "Even" }).click();
  await expectNothingSelected();
  await selectPage();
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expectNothingSelected();
  await page.getByRole("link", { name: "Previous", exact: true }).click();
  await expect(page.getByRole("checkbox", { name: "Select Lamp 2", exact: true })).toBeVisible();
  await selectPage();
  await page.getByRole("link", { name: "Price" }).click();
  await expect(page.getByRole("columnheader", { name: "Price" })).toHaveAttribute("aria-sort", "ascending");
  // The first page by price is the first by name but for two products.
  await expect(page.getByText("23 selected", { exact: true })).toBeVisible();
  await expect(ticked).toHaveCount(23);
  await expect(whole).not.toBeChecked();
});

test("a product selected before hydration is counted", async ({ page }) => {
  const release = await holdBack(page, "**/assets/*.js");
  await page.goto("/publisher/test-mode/products", { waitUntil: "commit" });
  await page.getByRole("checkbox", { name: "Select Teak Folding Chair" }).check();
  release();
  await awaitHydration(page);
  await expect(page.getByText("1 selected", { exact: true })).toBeVisible();
});

test("the filters of the creatives show what the list has", async ({ page }) => {
  await page.goto("/publisher/test-mode/creatives");
  const type = page.getByRole("combobox", { name: "File type" });
  await type.selectOption("MP4");
  await page.getByRole("link", { name: "Show all creatives" }).click();
  const image = page.getByRole("link", { name: "Open layers.png" });
  await expect(image).toBeVisible();
  await expect(type).toHaveValue("");
  const search = page.getByRole("searchbox", { name: "Search by name" });
  await search.fill("layers");
  await search.press("Enter");
  await expect(page).toHaveURL(/q=layers/);
  await expect(page.locator(".creatives > li")).toHaveCount(1);
  await expect(image).toBeVisible();
});

const filters = [
  ["/advertiser/test-mode/products", "Status"],
  ["/advertiser/test-mode/campaigns", "Status"],
  ["/advertiser/test-mode/creatives", "File type"],
  ["/advertiser/test-mode/activity", "Type"],
  ["/advertiser/test-mode/analytics", "Date range"],
  ["/advertiser/test-mode/billing?tab=spend", "Type"],
  ["/publisher/test-mode/billing?tab=earnings", "Status"],
  ["/publisher/test-mode/billing/statements", "Month"],
  ["/publisher/test-mode/campaigns", "Sort by"],
  ["/publisher/test-mode/audiences", "Segment"],
  ["/publisher/test-mode/revenue", "Sort by", 390],
] as const;

test("a filter that the arrow keys change has the focus when the list has changed", async ({ page }) => {
  for (const [path, label, width = 1280] of filters) {
    const subject = `${label} of ${path}`;
    await page.setViewportSize({ width, height: 844 });
    await page.goto(path);
    const select = page.getByRole("combobox", { name: label, exact: true });
    // The option that the page was rendered with, whatever has been chosen since.
    const rendered = select.locator("option[selected]");
    const values = await select
      .locator("option")
      .evaluateAll((options) => options.map((option) => option.getAttribute("value") ?? ""));
    const first = values.indexOf(await select.inputValue());
    await select.focus();
    for (const value of values.slice(first + 1, first + 3)) {
      await page.keyboard.press("ArrowDown");
      await expect(rendered, subject).toHaveAttribute("value", value);
      await expect(select, subject).toBeFocused();
      await expect(select, subject).toHaveValue(value);
    }
  }
});

test("a filter that is selected in the moment in which another one's list arrives is kept", async ({ page }) => {
  await page.goto("/advertiser/test-mode/analytics");
  const release = await holdBack(page, /analytics\.data\?.*channel=dv360/);
  const channel = page.getByRole("combobox", { name: "Channel" });
  await awaitHydration(page);
  await channel.evaluate((select: HTMLSelectElement) => {
    const { __remixRouter: router } = window as unknown as { __remixRouter: Router };
    const stop = router.subscribe(({ navigation, location }) => {
      if (navigation.state !== "idle" || !location.search.includes("range=90d")) return;
      stop();
      queueMicrotask(() => {
        select.value = "dv360";
        select.dispatchEvent(new Event("change", { bubbles: true }));
      });
    });
  });
  await page.getByRole("combobox", { name: "Date range" }).selectOption("90d");
  await expect(page.getByRole("link", { name: "Export CSV" })).toHaveAttribute("href", /range=90d/);
  await expect(channel).toHaveValue("dv360");
  release();
  await expect(page).toHaveURL(/range=90d.*channel=dv360/);
  await expect(channel.locator("option[selected]")).toHaveAttribute("value", "dv360");
});

test("what is typed while a list is searched is kept, and the caret with it", async ({ page }) => {
  await page.goto("/advertiser/test-mode/products");
  const release = await holdBack(page, /products\.data\?.*q=tent&/);
  const search = page.getByRole("searchbox", { name: "Search by name or SKU" });
  const rows = page.locator("tbody tr");
  await search.focus();
  await page.keyboard.type("tent");
  await page.keyboard.press("Enter");
  await page.keyboard.type(" sm");
  await page.keyboard.press("ArrowLeft");
  release();
  await expect(rows).toHaveCount(2);
  await page.keyboard.type("u");
  await expect(search).toHaveValue("tent sum");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("Summit");
  await page.keyboard.press("Enter");
  await expect(rows).toHaveCount(1);
  await expect(search).toBeFocused();

  // What was sent belongs to its list alone.
  await page.goBack();
  await expect(rows).toHaveCount(2);
  await expect(search).toHaveValue("tent");
  await page.keyboard.type("s");
  await page.getByRole("link", { name: /^Packs \d/ }).click();
  await expect(page.getByText("No products found")).toBeVisible();
  await expect(search).toHaveValue("tent");
  await expect(page.getByRole("combobox", { name: "Category" })).toHaveValue("Packs");
});

test("Escape closes a row's menu and returns the focus to it", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns?sort=name");
  const opener = page.locator("summary[aria-label='More actions for Alpine Touring Preview']");
  await expect(async () => {
    await opener.click();
    await page.keyboard.press("Escape");
    await expect(opener.locator("..")).not.toHaveAttribute("open", { timeout: 500 });
  }).toPass();
  await expect(opener).toBeFocused();
});
