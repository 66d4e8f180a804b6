import { expect } from "@playwright/test";
import { awaitHydrationAfterLoads, test } from "#tests/support/browser/test.ts";

/** Each mode has rows of its own: both run against one server. */
const own = (text: string, project: string) => `${text}-${project === "scripting" ? "S" : "N"}`;

test("a product is added, found, changed and deleted", async ({ page }, { project }) => {
  const sku = own("E2E", project.name);
  await page.goto("/publisher/test-mode/products");
  await page.getByRole("link", { name: "Add Product" }).click();
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a product name");
  await page.getByLabel("Product name").fill("Brass Bell");
  await page.getByLabel("SKU").fill(sku);
  await page.getByLabel("Category").fill("Bells");
  await page.getByLabel("Price").fill("abc");
  await page.getByLabel("Inventory count").fill("9");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a price in US dollars");
  await expect(page.getByLabel("Product name")).toHaveValue("Brass Bell");
  await page.getByLabel("Price").fill("1,234.50");
  await page.getByRole("button", { name: "Add Product" }).click();
  await expect(page.getByText("“Brass Bell” added to your catalog")).toBeVisible();

  await page.goto(`/publisher/test-mode/products?q=${sku.toLowerCase()}`);
  const row = page.getByRole("row").filter({ hasText: sku });
  await expect(row).toContainText("$1,234.50");
  await expect(row).toContainText("Low Stock");
  await row.getByRole("link", { name: "View Brass Bell" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText(`SKU ${sku}`);
  await dialog.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Inventory count").fill("");
  await page.getByRole("button", { name: "Save product" }).click();
  await expect(page.getByRole("dialog")).toContainText("Not tracked");
  await expect(page.getByRole("dialog")).toContainText("Active");
  await page.getByRole("dialog").getByRole("link", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete product" }).click();
  await expect(page.getByText("“Brass Bell” deleted")).toBeVisible();
  await page.goto(`/publisher/test-mode/products?q=${sku}`);
  await expect(page.getByText("No products found")).toBeVisible();
});

test("a file is previewed, corrected by choosing other columns and imported; then several products are deleted", async ({
  page,
}, { project }) => {
  const sku = own("F", project.name);
  const file = `Artikel;Nummer;Gruppe;Preis\nGlocke;${sku}1;${sku};12,50\nGong;${sku}2;${sku};1.800,00\nNichts;;${sku};1\n`;
  await page.goto("/publisher/test-mode/products");
  await page.getByRole("link", { name: "Upload Products" }).click();
  await page
    .getByLabel("Product file")
    .setInputFiles({ name: "bells.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  // The columns chosen for such a file in the other mode are remembered.
  await expect(page.getByRole("heading", { name: /Nothing to import|Ready to import/ })).toBeVisible();
  await page.getByLabel("Product name").selectOption("Artikel");
  await page.getByRole("combobox", { name: /^SKU/ }).selectOption("Nummer");
  await page.getByRole("combobox", { name: /^Category(?! for)/ }).selectOption("Gruppe");
  await page.getByLabel("Price").selectOption("Preis");
  await page.getByRole("button", { name: "Apply and reread" }).click();
  await expect(page.getByText("File read again. Check the new preview.")).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: `${sku}2` })).toContainText("$1,800.00");
  await expect(page.getByRole("row").filter({ hasText: "SKU is missing" })).toContainText("Rejected");
  await page.getByRole("button", { name: "Import 2 products" }).click();
  await expect(page.getByText("Import complete")).toBeVisible();
  await page.getByRole("link", { name: "View products" }).click();

  await page.goto(`/publisher/test-mode/products?q=${sku}`);
  await page.getByRole("checkbox", { name: "Select Glocke" }).check();
  await page.getByRole("checkbox", { name: "Select Gong" }).check();
  await page.getByRole("button", { name: "Change category" }).click();
  await page.getByLabel("New category").fill("Bells");
  await page.getByRole("button", { name: "Change category" }).click();
  await expect(page.getByText("2 products moved to “Bells”")).toBeVisible();
  await page.goto(`/publisher/test-mode/products?q=${sku}`);
  await page.getByLabel("Apply to").selectOption("all");
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByRole("heading", { name: "Delete 2 products?" })).toBeVisible();
  await page.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("2 products deleted")).toBeVisible();
});

test("an import that was decided in another tab is shown as it is", async ({ page, context }, { project }) => {
  const file = `name,sku,category,price\nStorm Pot,${own("TAB", project.name)},Tea,12.50\n`;
  await page.goto("/publisher/test-mode/products/upload");
  await page
    .getByLabel("Product file")
    .setInputFiles({ name: "pots.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  // Other tests leave previews in the list of the page before: that they are ready says nothing of this one.
  await expect(page.getByRole("heading", { name: /Ready to import/ })).toBeVisible();
  const other = awaitHydrationAfterLoads(await context.newPage());
  await other.goto(page.url());
  await other.getByRole("button", { name: "Import 1 product" }).click();
  await expect(other.getByText("Import complete")).toBeVisible();
  await page.getByRole("button", { name: "Import 1 product" }).click();
  await expect(page.getByRole("alert")).toContainText("This import was already completed or discarded");
  await expect(page.getByText("Import complete")).toBeVisible();
  await expect(page.getByRole("button", { name: "Import 1 product" })).toBeHidden();
});

test("choices for a file stay in their form until they can be applied", async ({ page }, { project }) => {
  const sku = own("IMG", project.name);
  const header = "ID,Type,SKU,Name,Published,Regular price,Sale price,Categories,Brands,Images";
  const file = `${header}\n1,simple,${sku},Clog,1,20,,Shoes,Sahra,clog.png\n2,simple,,Sandal,1,30,,,Sahra,sandal.png\n`;
  await page.goto("/publisher/test-mode/products/upload");
  await page
    .getByLabel("Product file")
    .setInputFiles({ name: "shoes.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await expect(page.getByRole("heading", { name: /Ready to import/ })).toBeVisible();
  const form = page.locator("form").filter({ hasText: "Apply and reread" });
  const shown = {
    name: form.locator("[name=column_name]"),
    group: form.locator("[name=column_group]"),
    derives: form.getByLabel("Generate a SKU for rows without one"),
    category: form.getByLabel("Category for rows without one"),
    currency: form.getByLabel("Currency"),
    images: form.getByLabel("Address of the images"),
    header: form.getByLabel("Row with the column names"),
  };
  await shown.name.selectOption("Brands");
  await shown.group.selectOption("-");
  await shown.derives.check();
  await shown.category.fill("Sandals");
  await shown.currency.selectOption("USD");
  await shown.header.selectOption("1");
  await shown.images.fill("http://shop.example/media");
  const expectChoices = async () => {
    await expect(shown.name).toHaveValue("Brands");
    await expect(shown.group).toHaveValue("-");
    await expect(shown.derives).toBeChecked();
    await expect(shown.category).toHaveValue("Sandals");
    await expect(shown.currency).toHaveValue("USD");
    await expect(shown.header).toHaveValue("1");
  };
  await page.getByRole("button", { name: "Apply and reread" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a URL that begins with https://, without a query");
  await expect(shown.images).toHaveValue("http://shop.example/media");
  await expectChoices();
  await shown.images.fill("https://shop.example/media");
  await page.getByRole("button", { name: "Apply and reread" }).click();
  await expect(page.getByText("File read again. Check the new preview.")).toBeVisible();
  await expectChoices();
  await page.getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Import discarded")).toBeVisible();
});
