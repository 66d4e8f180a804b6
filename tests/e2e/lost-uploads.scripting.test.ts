import { expect, type Page, type Route } from "@playwright/test";
import { uniqueName } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { loseScripts } from "#tests/support/browser/lose-scripts.ts";
import { test } from "#tests/support/browser/test.ts";

const csv = (name: string, text: string) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
const image = {
  name: "dot.gif",
  mimeType: "image/gif",
  buffer: Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64"),
};

/** Fails the POST requests to a path: the first without a response, the second as a busy server, the rest not. */
async function failTwice(page: Page, path: string) {
  let count = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    count += 1;
    if (count === 1) return route.abort("connectionreset");
    if (count === 2) return route.fulfill({ status: 503, headers: { "Retry-After": "2" }, body: "busy" });
    return route.fallback();
  });
}

test("a creative whose upload is interrupted is kept, and uploaded again from its message", async ({ page }) => {
  await page.goto("/publisher/test-mode/creatives");
  await failTwice(page, "**/creatives/upload");
  const name = `${uniqueName("dot")}.gif`;
  await page.getByLabel("Upload creatives").setInputFiles({ ...image, name });
  await expect(page.getByText(`${name}: The connection was lost`)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText(`${name}: The server is busy. Try again in a minute.`)).toBeVisible();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Try again" })).toBeHidden();
  await expect(page.getByRole("link", { name: `Delete ${name}` })).toBeVisible();
});

test("creatives that are chosen while others are uploaded follow them", async ({ page }) => {
  await page.goto("/publisher/test-mode/creatives");
  const [name, release] = [uniqueName("dot"), await holdBack(page, "**/creatives/upload", "POST")];
  const gif = (number: number) => {
    const buffer = Buffer.from(image.buffer).fill(0x10 * number, 13, 14);
    return { ...image, buffer, name: `${name} ${number}.gif` };
  };
  await page.getByLabel("Upload creatives").setInputFiles([gif(1), gif(2)]);
  await expect(page.getByText(`${name} 2.gif`)).toBeVisible();
  await page.getByLabel("Upload creatives").setInputFiles(gif(3));
  for (const number of [1, 2, 3]) await expect(page.getByText(`${name} ${number}.gif`)).toBeVisible();
  release();
  for (const number of [1, 2, 3])
    await expect(page.getByRole("link", { name: `Delete ${name} ${number}.gif` })).toBeVisible();
  await expect(page.locator(".creative-progress li")).toHaveCount(0);
});

test("a creative is kept whose upload finds no script to send it, and uploaded again from its message", async ({
  page,
}) => {
  await page.goto("/publisher/test-mode/creatives");
  const connection = await loseScripts(page, /\/assets\/upload-creative-file-/);
  const name = `${uniqueName("dot")}.gif`;
  // Another color than the other test's, because an account stores the same file once.
  const buffer = Buffer.from(image.buffer).fill(0x80, 13, 14);
  await page.getByLabel("Upload creatives").setInputFiles({ ...image, buffer, name });
  await expect(page.getByText(`${name}: The connection was lost`)).toBeVisible();
  connection.isLost = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("link", { name: `Delete ${name}` })).toBeVisible();
});

test("a product file whose upload is interrupted stays chosen, and is uploaded by the same button", async ({
  page,
}) => {
  await page.goto("/advertiser/test-mode/products/upload");
  await failTwice(page, "**/products/upload");
  await page
    .getByLabel("Product file")
    .setInputFiles(csv("pots.csv", "name,sku,category,price\nStorm Pot,P-1,Tea,12.50\n"));
  const upload = page.getByRole("button", { name: "Upload and preview" });
  await upload.click();
  await expect(page.getByText("The connection was lost. Upload the file again.")).toBeInViewport();
  await upload.click();
  await expect(page.getByText("We cannot take files at the moment. Try again in a minute.")).toBeInViewport();
  await upload.click();
  await expect(page.getByRole("heading", { name: /Ready to import/ })).toBeVisible();
});

test("a product file that is chosen instead of one whose response was lost is the one that is previewed", async ({
  page,
}) => {
  await page.goto("/advertiser/test-mode/products/upload");
  const loseResponse = async (route: Route) => {
    await route.fetch();
    await route.abort("connectionreset");
  };
  await page.route("**/products/upload", loseResponse, { times: 1 });
  const pots = (count: number) => `name,sku,category,price\n${"Storm Pot,P-1,Tea,12.50\n".repeat(count)}`;
  const file = page.getByLabel("Product file");
  await file.setInputFiles(csv("first.csv", pots(1)));
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await expect(page.getByText("The connection was lost. Upload the file again.")).toBeInViewport();
  await file.setInputFiles(csv("second.csv", pots(2)));
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await expect(page.getByRole("heading", { name: "second.csv" })).toBeVisible();
});

test("files of an audience stay chosen while the upload cannot start", async ({ page }) => {
  await page.goto("/publisher/test-mode/audiences?q=Trail+runners");
  await page.locator(".row-link").first().click();
  await page.getByLabel("Customer files").setInputFiles(csv("people.csv", "Email\nann@example.com\n"));
  const url = page.url();
  const upload = page.getByRole("button", { name: "Upload", exact: true });
  await upload.focus();
  await page.waitForLoadState("networkidle");
  await page.context().setOffline(true);
  await upload.click();
  await expect(page.getByText("The upload could not start, because the server did not respond.")).toBeInViewport();
  expect(page.url()).toBe(url);
  await page.context().setOffline(false);
  await upload.click();
  await expect(page.getByRole("region", { name: "Uploads" })).toContainText(/imported/i);
});

for (const part of ["upload-queue", "upload-tray"]) {
  test(`files of an audience stay chosen while the script ${part} does not arrive, and are uploaded by the same button`, async ({
    page,
  }) => {
    await page.goto("/publisher/test-mode/audiences?q=Trail+runners");
    await page.locator(".row-link").first().click();
    await page.getByLabel("Customer files").setInputFiles(csv("people.csv", `Email\n${part}@example.com\n`));
    const connection = await loseScripts(page, new RegExp(`/assets/${part}-`));
    await page.route("**/audiences/*", (route) => (connection.isLost ? route.abort() : route.fallback()));
    const upload = page.getByRole("button", { name: "Upload", exact: true });
    await upload.click();
    await expect(page.getByText("The upload could not start, because the server did not respond.")).toBeInViewport();
    connection.isLost = false;
    await upload.click();
    await expect(page.getByRole("region", { name: "Uploads" })).toContainText(/imported/i);
  });
}

test("an audience with files that is not created keeps its fields and files", async ({ page }) => {
  const name = uniqueName("Cyclists");
  await page.goto("/publisher/test-mode/audiences/create");
  await page.getByLabel("Audience name").fill(name);
  await page.locator("#segment").selectOption({ label: "High-value" });
  const files = page.getByLabel("Customer files");
  await files.setInputFiles(csv("people.csv", "Email\nann@example.com\n"));
  await failTwice(page, "**/audiences/create.data*");
  await page.getByRole("button", { name: "Create Audience" }).click();
  const notice = page.locator(".lost-request");
  await expect(notice).toContainText("What you entered is still here");
  await expect(page.getByLabel("Audience name")).toHaveValue(name);
  expect(await files.evaluate((input) => input instanceof HTMLInputElement && input.files?.length)).toBe(1);
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toContainText("Try again in 2 seconds");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/audience-uploaded/);
});

test("a creative that the wizard could not choose is chosen from the message", async ({ page }) => {
  await page.goto("/advertiser/test-mode/campaigns/create");
  await page.getByLabel("Campaign name").fill(uniqueName("Formats"));
  await page.getByRole("button", { name: /^Next/ }).click();
  await expect(page).toHaveURL(/step=2/);
  await failTwice(page, "**/edit.data*");
  const name = `${uniqueName("dot")}.gif`;
  await page.getByLabel("Upload creatives").setInputFiles({ ...image, name });
  const notice = page.locator(".lost-request");
  await expect(notice).toContainText("What you entered is still here");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(notice).toContainText("Try again in 2 seconds");
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("checkbox", { name })).toBeChecked();
  await expect(page.getByText("1 creative selected")).toBeVisible();
});
