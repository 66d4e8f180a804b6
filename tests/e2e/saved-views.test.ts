import { expect, type Page } from "@playwright/test";
import { setValue } from "#tests/support/browser/set-value.ts";
import { test } from "#tests/support/browser/test.ts";

const list = "/advertiser/test-mode/campaigns";
const menu = (page: Page, name: string | RegExp) => page.locator(".list-menu > summary").filter({ hasText: name });
const headers = (page: Page) => page.getByRole("columnheader");

test("chosen columns are shown where the usual table leaves them out, and the choice is in the URL", async ({
  page,
  javaScriptEnabled,
}) => {
  await page.goto(list);
  await expect(headers(page).filter({ hasText: "Channels" })).toBeHidden();
  await menu(page, "Columns").click();
  await page.getByRole("checkbox", { name: "Impressions" }).uncheck();
  await page.getByRole("checkbox", { name: "Dates" }).uncheck();
  if (!javaScriptEnabled) await page.getByRole("button", { name: "Apply" }).click();
  await expect(page).toHaveURL(/columns=channels/);
  for (const shown of ["Channels", "ROAS"]) {
    await expect(headers(page).filter({ hasText: shown })).toBeVisible();
  }
  await expect(headers(page).filter({ hasText: /Impressions|Dates/ })).toHaveCount(0);
  await page.goto(`${list}?columns=clicks,nonsense`);
  await expect(headers(page)).toHaveText(["Select", /Campaign/, "Clicks", "Actions"]);
});

test("a view is saved under a name, opened, changed, renamed and deleted", async ({ page }, { project }) => {
  const name = `Paused ${project.name}`;
  await page.goto(`${list}?status=paused&sort=name&columns=status,roas`);
  await menu(page, "Views").click();
  await page.getByRole("link", { name: "Save as new view" }).click();
  for (const [label, value] of [
    ["Status", "Paused"],
    ["Sort order", "Name"],
    ["Columns", "Status, ROAS"],
  ]) {
    await expect(page.getByRole("definition").filter({ hasText: new RegExp(`^${value}$`) })).toBeVisible();
    await expect(page.getByRole("term").filter({ hasText: new RegExp(`^${label}$`) })).toBeVisible();
  }
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page.getByText(`View “${name}” saved`)).toBeVisible();

  await page.goto(list);
  await menu(page, "Views").click();
  await page.getByRole("link", { name, exact: true }).click();
  await expect(page).toHaveURL(/columns=status%2Croas&sort=name&status=paused&saved=/);
  await expect(headers(page).filter({ hasText: "Budget" })).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "Status", exact: true })).toHaveValue("paused");

  await page.getByLabel("Sort by").selectOption({ label: "Highest ROAS" });
  if (project.name === "no-scripting") await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/sort=roas/);
  await menu(page, `${name} (changed)`).click();
  await page.getByRole("button", { name: "Save changes to view" }).click();
  await expect(page).toHaveURL(/columns=status%2Croas&sort=roas&status=paused&saved=/);

  await menu(page, name).click();
  await page.getByRole("link", { name: "Rename or delete" }).click();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(`${name} first`);
  await page.getByRole("button", { name: "Rename view" }).click();
  await menu(page, `${name} first`).click();
  await page.getByRole("link", { name: "Rename or delete" }).click();
  await page.getByRole("link", { name: "Delete view" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("link", { name: "Keep view" }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole("link", { name: "Delete view" }).click();
  const remove = dialog.getByRole("button", { name: "Delete view" });
  await setValue(remove, "unknown");
  await remove.click();
  await expect(dialog.getByRole("alert")).toBeVisible();
  await setValue(remove, "delete");
  await remove.click();
  await expect(page.getByText(`View “${name} first” deleted`)).toBeVisible();
  await menu(page, "Views").click();
  await expect(page.getByRole("link", { name: `${name} first` })).toHaveCount(0);
});

test("a view whose new filters are too long to be saved keeps its name", async ({ page }, { project }) => {
  const name = `Long ${project.name}`;
  await page.goto("/advertiser/test-mode/views?list=campaigns&query=status%3Dpaused");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
  await page.getByRole("button", { name: "Save view" }).click();
  await expect(page).toHaveURL(/saved=/);
  await page.goto(`${page.url()}&q=${encodeURIComponent("é".repeat(200))}`);
  await menu(page, `${name} (changed)`).click();
  await page.getByRole("button", { name: "Save changes to view" }).click();
  await expect(page.getByRole("alert")).toContainText("This list has too many filters to be saved as a view");
  await expect(page.getByRole("textbox", { name: "Name", exact: true })).toHaveValue(name);
});

for (const { title, path, facts } of [
  { title: "approvals", path: "/publisher/test-mode/approval?status=rejected", facts: ["Rejected"] },
  {
    title: "activity",
    path: "/publisher/test-mode/activity?kind=money&who=endcap&from=2026-01-02",
    facts: ["Billing", "Endcap", "Jan 2, 2026"],
  },
]) {
  test(`a view of the ${title} opens with its filters`, async ({ page }, { project }) => {
    const name = `My ${title} ${project.name}`;
    await page.goto(path);
    await menu(page, "Views").click();
    await page.getByRole("link", { name: "Save as new view" }).click();
    for (const fact of facts) await expect(page.getByRole("definition").filter({ hasText: fact })).toBeVisible();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.getByRole("button", { name: "Save view" }).click();
    await expect(page).toHaveURL(new RegExp(`${new URL(path, "http://a").pathname}\\?.*saved=`));
    for (const [parameter, value] of new URL(path, "http://a").searchParams) {
      expect(new URL(page.url()).searchParams.get(parameter)).toBe(value);
    }
    await expect(menu(page, name)).toBeVisible();
  });
}
