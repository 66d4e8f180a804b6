import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";
import { findViolations } from "#tests/support/browser/axe.ts";
import { newPageAs } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";
import { addCard } from "#tests/support/forms/form-openers.ts";
import { expectKeptForm } from "#tests/support/forms/lost-request.ts";

test("an open invoice is shown, downloaded as PDF, printed on one page, and paid", async ({ browser }, { project }) => {
  const page = await newPageAs(browser, "second-advertiser@example.com");
  await page.goto("/advertiser/billing");
  await page.getByRole("link", { name: "Invoices", exact: true }).click();
  // The newest two are open: each mode pays its own.
  const open = page.locator("tbody tr").filter({ hasText: /Open|Overdue/ });
  const row = project.name === "scripting" ? open.first() : open.last();
  const number = (await row.getByRole("link").textContent()) ?? "";
  const amount = (await row.getByRole("cell").last().textContent()) ?? "";
  await row.getByRole("link").click();
  await expect(page.getByRole("heading", { name: `Invoice ${number}` })).toBeVisible();
  if (project.name === "scripting") expect(await findViolations(page)).toEqual([]);

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "PDF" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`${number}.pdf`);
  const pdf = await readPdf(await readFile(await download.path()));
  const file = pdf.text.join(" ");
  expect(file).toContain(`Invoice ${number}`);
  expect(file).toContain("Brightside Coffee Roasters");
  expect(file).toContain(`Total ${amount}`);

  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await expect(page.getByRole("heading", { name: number })).toHaveCSS("color", "rgb(20, 23, 31)");
  for (const hidden of ["navigation", "banner", "button"] as const) await expect(page.getByRole(hidden)).toHaveCount(0);
  expect((await readPdf(await page.pdf({ format: "Letter" }))).totalPages).toBe(1);
  await page.emulateMedia({ media: "screen", colorScheme: "light" });

  await addCard(page, "tok_declined");
  await page.reload();
  const declined = page.getByRole("radio", { name: /0002/ }).last();
  await declined.check();
  await page.getByRole("button", { name: `Pay ${amount}` }).click();
  const form = page.locator("form").filter({ has: page.getByRole("button", { name: /^Pay / }) });
  await expect(form.getByRole("alert")).toHaveText(/The card was declined\. Use another payment method/);
  await expect(page.getByRole("region", { name: "Messages" })).toContainText("The card was declined.");
  if (project.name === "scripting") await expect(form.getByRole("alert").locator("..")).toBeFocused();
  await expect(declined).toBeChecked();

  await page.getByRole("radio", { name: "Mastercard •••• 4444" }).check();
  if (project.name === "scripting") {
    await expectKeptForm(page, { submit: `Pay ${amount}`, kept: { label: "Mastercard •••• 4444", value: "chosen" } });
  }
  await page.getByRole("button", { name: `Pay ${amount}` }).click();
  await expect(page.getByText(`${number} paid: ${amount}`)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay / })).toHaveCount(0);
  await page.goto("/advertiser/billing/invoices");
  await expect(page.locator("tbody tr").filter({ hasText: number })).toContainText("Paid");

  // On a phone the transaction's description is whole, with the number.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/advertiser/billing");
  const payment = page.getByText(`Payment of invoice ${number}, Mastercard •••• 4444`);
  await expect(payment).toBeVisible();
  const isWhole = await payment.evaluate(
    (name) => name.scrollWidth <= name.clientWidth && name.scrollHeight <= name.clientHeight,
  );
  expect(isWhole).toBe(true);
});

async function readPdf(bytes: Buffer) {
  return extractText(await getDocumentProxy(new Uint8Array(bytes)), { mergePages: false });
}
