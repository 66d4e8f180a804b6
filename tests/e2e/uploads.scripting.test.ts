import { expect, type Page } from "@playwright/test";
import { findViolations } from "#tests/support/browser/axe.ts";
import { registerCompany } from "#tests/support/browser/browser-users.ts";
import { holdBack } from "#tests/support/browser/hold-back.ts";
import { test } from "#tests/support/browser/test.ts";
import { createAudience, newAudience, openColumns } from "#tests/support/forms/form-openers.ts";

const base = "/publisher/test-mode";
const table = (name: string, rows: readonly string[]) => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(["Email", ...rows].join("\n")),
});
const fewPeople = table("cyclists.csv", ["ann@example.com", "ben@example.com"]);

/** Creates an audience with a file, and returns its name. */
async function createWithFile(page: Page, file: ReturnType<typeof table>): Promise<string> {
  const name = `Cyclists ${crypto.randomUUID()}`;
  await page.goto(`${base}/audiences/create`);
  await page.getByLabel("Audience name").fill(name);
  await page.getByLabel("Customer files").setInputFiles(file);
  // Field errors appear before anything is sent, and the chosen files stay.
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose a segment");
  await page.locator("#segment").selectOption({ label: "High-value" });
  // The form moves up when the message goes: a click before that could miss the button.
  await expect(page.getByRole("alert")).toHaveCount(0);
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page).toHaveURL(/thank-you\/audience-uploaded\?audience=/);
  return name;
}

/** Uploads a file on the page of an audience. */
async function uploadTo(page: Page, audience: string) {
  await page.goto(audience);
  await page.getByLabel("Customer files").setInputFiles(fewPeople);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByRole("region", { name: "Uploads" })).toBeVisible();
}

test("an upload continues while other pages are open, and shows its result", async ({ page }) => {
  const release = await holdBack(page, "**/uploads");
  const people = Array.from({ length: 1_200 }, (_, index) => `uploader${index}@example.com`);
  const name = await createWithFile(page, table("cyclists.csv", [...people, "no address"]));
  const tray = page.getByRole("region", { name: "Uploads" });
  await expect(tray.getByRole("progressbar", { name: `Upload of cyclists.csv to ${name}` })).toBeVisible();
  await page.getByRole("link", { name: "Campaign Approval" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Campaign Approval");
  await expect(tray).toContainText("cyclists.csv");
  await expect(page.getByText("1 upload in progress")).toBeAttached();

  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    expect(await findViolations(page), colorScheme).toEqual([]);
  }

  release();
  await expect(tray).toContainText("1,201 rows read, 1,200 people added, 1 invalid");
  await expect(page.getByText("1 upload done")).toBeAttached();
  await expect(tray.getByRole("progressbar")).toHaveCount(0);
  await tray.getByRole("link", { name: "View report" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Upload report");
  await expect(tray).toHaveCount(0);
});

test("files are uploaded although the form is rendered between the response and the router's update", async ({
  page,
}) => {
  await page.goto(`${base}/audiences/create`);
  await page.getByLabel("Audience name").fill(`Cyclists ${crypto.randomUUID()}`);
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByLabel("Customer files").setInputFiles(fewPeople);
  await page.evaluate(() => {
    // Focus renders the form at once, and changes nothing in it; the router's update is rendered later.
    const focus = () => document.querySelector("#segment")?.dispatchEvent(new FocusEvent("focusin", { bubbles: true }));
    window.__remixRouter.subscribe(({ fetchers }) => {
      if ([...fetchers.values()].some(({ data }) => data !== undefined)) focus();
    });
  });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page).toHaveURL(/thank-you\/audience-uploaded\?audience=/);
  await expect(page.getByRole("region", { name: "Uploads" })).toContainText("2 people added");
});

test("the end of an upload leaves a new key's secret, and another name that is being typed", async ({ page }) => {
  const release = await holdBack(page, "**/uploads");
  await uploadTo(page, await newAudience(page));
  await page.getByLabel(/: account$/).click();
  await page.getByRole("link", { name: "Profile" }).click();
  await page.getByLabel("Key name").fill("First");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await page.getByLabel("Secret").inputValue();
  await page.getByLabel("Key name").fill("Second");
  release();
  await expect(page.getByText("1 upload done")).toBeAttached();
  await page.waitForLoadState("networkidle");
  await expect(page.getByLabel("Secret")).toHaveValue(secret);
  await expect(page.getByLabel("Key name")).toHaveValue("Second");
  // A navigation to the page shows it without the secret.
  await page.getByRole("link", { name: "Activity" }).first().click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Activity");
  await page.goBack();
  await expect(page.getByRole("button", { name: "Create key" })).toBeVisible();
  await expect(page.getByLabel("Secret")).toHaveCount(0);
});

test("the end of an upload leaves a line that is left to be corrected", async ({ page }) => {
  const release = await holdBack(page, "**/uploads");
  // Erasing people interrupts what other tests import into the same account.
  await registerCompany(page, "publisher");
  await uploadTo(page, `/publisher/audiences/${await createAudience(page)}`);
  await page.getByRole("link", { name: "Audiences" }).first().click();
  await page.getByRole("link", { name: "Erase people" }).click();
  const lines = page.getByLabel("Email addresses, phone numbers or hashes");
  await lines.fill(`erased${crypto.randomUUID()}@example.com\njane at example.com`);
  await page.getByRole("button", { name: "Erase people" }).click();
  await expect(page.getByRole("heading", { name: "Erase people?" })).toBeVisible();
  await page.getByRole("button", { name: "Erase people" }).click();
  await expect(lines).toHaveValue("jane at example.com");
  await lines.fill("jane@example.c");
  release();
  await expect(page.getByText("1 upload done")).toBeAttached();
  await page.waitForLoadState("networkidle");
  await expect(lines).toHaveValue("jane@example.c");
  await expect(page.getByText("None of these people are in your audiences.")).toBeVisible();
});

test("after an upload its form is as it was, and a long file name leaves room for what can be done", async ({
  page,
}) => {
  await page.goto(await newAudience(page));
  await page.getByRole("radio", { name: "Replace" }).check();
  await page.getByLabel("Text encoding").selectOption({ index: 2 });
  const file = {
    ...table("", []),
    name: `${"customers_".repeat(12)}.csv`,
    buffer: Buffer.from("Note,Origin\nnice,DE"),
  };
  await page.getByLabel("Customer files").setInputFiles(file);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  const tray = page.getByRole("region", { name: "Uploads" });
  await expect(tray).toContainText("No email or phone column found");
  await expect(tray.getByRole("button", { name: /^Dismiss/ })).toBeInViewport();
  await expect(page.getByRole("radio", { name: "Add" })).toBeChecked();
  for (const label of ["Text encoding", "Ad personalization"]) {
    await expect(page.getByLabel(label), label).toHaveJSProperty("selectedIndex", 0);
  }
});

test("leaving the site during an upload asks for confirmation; a canceled upload is not sent", async ({ page }) => {
  await page.route("**/uploads", () => undefined);
  await uploadTo(page, await newAudience(page));
  const tray = page.getByRole("region", { name: "Uploads" });
  const dialogEvent = page.waitForEvent("dialog");
  const left = page.goto("/terms").catch(() => undefined);
  const dialog = await dialogEvent;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await left;
  await tray.getByRole("button", { name: /^Cancel/ }).click();
  await expect(tray).toHaveCount(0);
  await page.goto("/terms");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("Terms");
});

test("an interrupted upload can be sent again, and a rejected one says why", async ({ page }) => {
  let attempts = 0;
  await page.route("**/uploads", async (route) => {
    attempts += 1;
    if (attempts === 1) await route.abort("connectionreset");
    else await route.continue();
  });
  const name = await createWithFile(page, fewPeople);
  const tray = page.getByRole("region", { name: "Uploads" });
  await expect(tray).toContainText("The connection was lost");
  await tray.getByRole("button", { name: "Retry" }).click();
  await expect(tray).toContainText("2 people added");
  await tray.getByRole("link", { name, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await tray.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(tray).toHaveCount(0);

  const pdf = { name: "people.csv", mimeType: "text/csv", buffer: Buffer.from("%PDF-1.7\n") };
  await page.getByLabel("Customer files").setInputFiles(pdf);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(tray).toContainText("people.csv: This is a PDF");
  await expect(tray.getByRole("button", { name: "Retry" })).toHaveCount(0);
  // The page behind it shows the upload without a reload.
  await expect(page.getByRole("link", { name: "people.csv" })).toBeVisible();

  await page.getByLabel("Customer files").setInputFiles([]);
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await expect(page.getByText("Choose at least one file")).toBeVisible();
  await expect(page.getByLabel("Customer files")).toBeFocused();
});

test("columns that are detected again replace the choices that were saved", async ({ page }) => {
  const column = await openColumns(page);
  const columns = page.url();
  await page.getByLabel(column).selectOption({ label: "Email address" });
  await page.getByLabel("Country of rows without one").selectOption({ label: "Germany" });
  await page.getByRole("button", { name: "Save columns" }).click();
  await expect(page.getByText("Columns saved")).toBeVisible();
  await page.goto(columns);
  await expect(page.getByLabel(column)).toHaveValue("email");
  await page.getByRole("button", { name: "Detect automatically again" }).click();
  await expect(page.getByText("Columns of these files are detected again")).toBeVisible();
  await expect(page.getByLabel(column)).toHaveValue("ignored");
  await expect(page.getByLabel("Country of rows without one")).toHaveValue("");
});
