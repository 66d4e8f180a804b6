import { expect } from "@playwright/test";
import { test } from "#tests/support/browser/test.ts";

const base = "/publisher/test-mode";

test("without scripting an audience's form returns the report, or itself with the error", async ({ page }) => {
  await page.goto(`${base}/audiences/create`);
  await page.getByLabel("Audience name").fill("Filled without scripting");
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await page.getByRole("radio", { name: "Replace" }).check();
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("alert")).toContainText("Choose at least one file");
  await expect(page.getByRole("radio", { name: "Replace" })).toBeChecked();

  await page.getByRole("radio", { name: "Add" }).check();
  const buffer = Buffer.from("Email\nfilled@example.com\nbad");
  await page.getByLabel("Customer files").setInputFiles({ name: "more.csv", mimeType: "text/csv", buffer });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Upload report");
  await expect(page.getByText("2 rows, 28 bytes")).toBeVisible();
  await expect(page.getByRole("table", { name: /^1 skipped row, by reason/ })).toContainText(
    "Not a valid email address",
  );
  await expect(page.getByRole("link", { name: "Download as CSV" })).toBeVisible();
});

test("without scripting the columns of a rejected file are chosen, remembered and detected again", async ({ page }) => {
  await page.goto(`${base}/audiences?q=Weekend+hikers`);
  await page.locator(".row-link").first().click();
  const uploads = `${new URL(page.url()).pathname}/uploads`;
  const column = `Kontakt ${crypto.randomUUID().replace(/\d/g, "")}`;
  const buffer = Buffer.from(`${column},Notiz,Herkunft\nmapped@example.com,nett,DE`);
  const send = async () => {
    await page.goto(uploads);
    await page.getByLabel("Customer files").setInputFiles({ name: "kunden.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Upload", exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Upload report");
  };
  await send();
  await expect(page.getByText("No column with an email address or a phone number was recognized")).toBeVisible();
  await page.getByRole("link", { name: "Choose columns" }).click();
  await expect(page.getByLabel(column)).toHaveAccessibleDescription("m***@e***");
  await page.getByLabel("Herkunft").selectOption({ label: "Country" });
  await page.getByRole("button", { name: "Save columns" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose at least one column that holds an email address");
  await expect(page.getByLabel("Herkunft")).toHaveValue("country");
  await page.getByLabel(column).selectOption({ label: "Email address" });
  await page.getByRole("button", { name: "Save columns" }).click();
  await expect(page.getByText("Columns saved. Upload the file again to read it this way.")).toBeVisible();
  await send();
  await expect(page.getByText("Read with the columns that you saved for files like this.")).toBeVisible();
  await page.getByRole("link", { name: "Choose columns" }).click();
  await page.getByRole("button", { name: "Detect automatically again" }).click();
  await expect(page.getByText("Columns of these files are detected again")).toBeVisible();
  await expect(page.getByLabel(column)).toHaveValue("ignored");
});

test("without scripting a file that cannot be imported creates no audience, and the form keeps its input", async ({
  page,
}) => {
  await page.goto(`${base}/audiences/create`);
  await page.getByLabel("Audience name").fill("Refused with its file");
  await page.locator("#segment").selectOption({ label: "High-value" });
  const pdf = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from("%PDF-1.7\n") };
  await page.getByLabel("Customer files").setInputFiles(pdf);
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page.locator("#file-error")).toContainText("people.csv: This is a PDF");
  await expect(page.getByLabel("Audience name")).toHaveValue("Refused with its file");
  await page.goto(`${base}/audiences?q=Refused+with`);
  await expect(page.getByText("No audiences found")).toBeVisible();
});
