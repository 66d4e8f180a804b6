import { expect } from "@playwright/test";
import { registerCompany, signIn } from "#tests/support/browser/browser-users.ts";
import { test } from "#tests/support/browser/test.ts";

const base = "/publisher/test-mode";

test("a publisher creates an audience with a file, finds it, changes it and archives it", async ({ page }) => {
  const name = `Anglers ${crypto.randomUUID()}`;
  await page.goto(`${base}/dashboard`);
  await page.getByRole("link", { name: /^Active Audiences/ }).click();
  await page.getByRole("link", { name: "Upload Audience", exact: true }).click();
  await expect(page.getByLabel("Refresh frequency")).toHaveValue("weekly");
  await expect(page.getByLabel("CPM rate")).toHaveAttribute("step", "0.01");
  await page.getByLabel("Audience name").fill(name);
  await page.getByLabel("Estimated size").fill("many");
  await page.getByRole("button", { name: "Create Audience" }).click();
  const problems = page.getByRole("alert");
  await expect(problems).toContainText("Choose a segment");
  await expect(problems).toContainText("Enter a whole number, 0 or more");
  await expect(page.getByLabel("Audience name")).toHaveValue(name);
  await expect(page.getByLabel("Estimated size")).toHaveValue("many");

  await page.getByLabel("Estimated size").fill("25,000");
  await page.getByLabel("Segment").selectOption({ label: "Frequent buyers" });
  await page.getByLabel("CPM rate").fill("7.25");
  const csv = ["Email", "ann@example.com", "ben@example.com", "ann@example.com"].join("\n");
  await page
    .getByLabel("Customer files")
    .setInputFiles({ name: "anglers.csv", mimeType: "text/csv", buffer: Buffer.from(csv) });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page).toHaveURL(new RegExp(`${base}/thank-you/audience-uploaded\\?audience=`));
  await expect(page.getByRole("link", { name: "View audience and upload report" })).toHaveAttribute(
    "href",
    new RegExp(`${base}/audiences/[0-9a-f-]{36}$`),
  );
  await page.getByRole("link", { name: "Manage Audiences" }).click();

  await page.getByLabel("Search by name").fill(name);
  await page.getByLabel("Search by name").press("Enter");
  await expect(page.getByText("1 audience", { exact: true })).toBeVisible();
  await page.getByRole("link", { name: `Details of ${name}` }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
  await expect(page.getByText("Add 998 more people")).toBeVisible();
  await expect(page.getByRole("link", { name: "anglers.csv" })).toBeVisible();
  await expect(page.locator("main")).not.toContainText("@example.com");

  await page.getByRole("link", { name: "Edit", exact: true }).click();
  await page.getByLabel("Description").fill("Bought rods or lures this year");
  await page.getByLabel("Refresh frequency").selectOption({ label: "Monthly" });
  await page.getByRole("button", { name: "Save audience" }).click();
  await expect(page.getByText("Audience saved")).toBeVisible();
  await expect(page.getByText("Bought rods or lures this year")).toBeVisible();

  await page.getByRole("link", { name: "Archive", exact: true }).click();
  await page.getByRole("button", { name: "Archive audience" }).click();
  await expect(page.getByText("Audience archived")).toBeVisible();
  await page.goto(`${base}/audiences?status=archived&q=${encodeURIComponent(name)}`);
  await expect(page.getByRole("link", { name: `Details of ${name}` })).toBeVisible();
  await expect(page.getByRole("link", { name: `Edit ${name}` })).toHaveCount(0);
});

test("a publisher states consent for an audience, keeps it through an error, and reads what it means", async ({
  page,
}) => {
  const name = `Consenting ${crypto.randomUUID()}`;
  await page.goto(`${base}/audiences/create?method=api`);
  await page.getByLabel("Audience name").fill(name);
  await page.getByLabel("Segment").selectOption({ label: "Frequent buyers" });
  await page.getByLabel("Estimated size").fill("many");
  await page.getByLabel("Use of their data for ads").selectOption({ label: "Consented" });
  await page.getByLabel("Ad personalization").selectOption({ label: "Consented" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await expect(page.getByRole("alert")).toContainText("Enter a whole number, 0 or more");
  await expect(page.getByLabel("Use of their data for ads")).toHaveValue("granted");
  await expect(page.getByLabel("Ad personalization")).toHaveValue("granted");
  await page.getByLabel("Estimated size").fill("25,000");
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await expect(page.getByText("Google Ads can use everyone in this audience.")).toBeVisible();

  await page.getByRole("link", { name: "Change consent" }).click();
  await expect(page.getByLabel("Ad personalization")).toHaveValue("granted");
  await page.getByLabel("Ad personalization").selectOption({ label: "Did not consent" });
  await page.getByRole("button", { name: "Save audience" }).click();
  await expect(page.getByText("Audience saved")).toBeVisible();
  await expect(page.getByText("This audience is not uploaded to Google Ads")).toBeVisible();

  // An upload leaves the statement as it is unless it makes one.
  await expect(page.getByLabel("Ad personalization")).toHaveValue("");
  await expect(page.getByRole("option", { name: "No change (Did not consent)" })).toBeAttached();
});

test("a publisher chooses an integration; announced ones cannot be chosen", async ({ page }) => {
  const name = `From HubSpot ${crypto.randomUUID()}`;
  await page.goto(`${base}/audiences/create`);
  await page.getByRole("link", { name: "Direct integration" }).click();
  await expect(page.getByLabel("Customer files")).toHaveCount(0);
  const coming = page.getByRole("list", { name: "Coming soon" });
  await expect(coming).toContainText("Adobe");
  await expect(coming).toContainText("Google Analytics");
  await expect(coming.locator("input, a, button")).toHaveCount(0);
  await page.getByRole("radio", { name: "HubSpot" }).check();
  await page.getByLabel("Audience name").fill(name);
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await expect(page.getByText("Connect HubSpot to import audiences")).toBeVisible();

  await page.getByRole("link", { name: "Use the API" }).click();
  await expect(page.getByText(/^curl -X POST 'http.*\/members'/)).toBeVisible();
  await page.getByRole("link", { name: "Manage API keys" }).click();
  await expect(page).toHaveURL(new RegExp(`${base}/profile`));
});

test("a publisher connects Klaviyo, chooses a list, and imports its people", async ({ page }) => {
  const name = `Readers ${crypto.randomUUID()}`;
  await page.goto(`${base}/audiences`);
  await page.getByRole("link", { name: "Integrations" }).click();
  await page.getByRole("link", { name: /^(Connect|Replace) Klaviyo( credentials)?$/ }).click();
  await page.getByLabel("Private API key").fill("pk_wrong");
  await page.getByRole("button", { name: "Connect Klaviyo" }).click();
  await expect(page.getByRole("alert")).toContainText("Klaviyo rejected the credentials");
  await expect(page.locator("html")).not.toContainText("pk_wrong");
  await page.getByLabel("Private API key").fill("pk_good");
  await page.getByRole("button", { name: "Connect Klaviyo" }).click();
  await expect(page.getByText("Klaviyo connected.")).toBeVisible();

  await page.goto(`${base}/audiences/create?method=direct`);
  await page.getByRole("radio", { name: "Klaviyo Connected" }).check();
  await page.getByLabel("Audience name").fill(name);
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(name);
  const audience = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByRole("link", { name: "Choose a list" }).click();
  await page.getByRole("button", { name: "Select and refresh" }).click();
  await expect(page.getByRole("alert")).toContainText("Choose a list");
  await page.getByRole("radio", { name: "Newsletter" }).check();
  await page.getByRole("button", { name: "Select and refresh" }).click();
  await expect(page.getByText("List selected. The first refresh is running.")).toBeVisible();
  await signIn(page, "publisher@example.com");
  const readAudience = async () => (await (await page.request.get(`/api/audiences/${audience}`)).json()).audience;
  await expect.poll(readAudience).toMatchObject({ size: 1_250, status: "ready" });
  await page.reload();
  await expect(page.locator("main")).toContainText("1,250");
  await expect(page.locator("main")).toContainText("Ready");
  await expect(page.locator("main")).not.toContainText("@example.com");

  await page.getByRole("button", { name: "Refresh now" }).click();
  await expect(page).toHaveURL(/\/uploads\/[0-9a-f-]{36}$/);
  await expect(page.locator("main")).toContainText("1,250");
});

test("a publisher creates a Segment audience, which sends its people to the shown URL", async ({ page }) => {
  const name = `Buyers ${crypto.randomUUID()}`;
  await page.goto(`${base}/audiences/create?method=direct`);
  await page.getByRole("radio", { name: "Segment" }).check();
  await page.getByLabel("Audience name").fill(name);
  await page.locator("#segment").selectOption({ label: "High-value" });
  await page.getByRole("button", { name: "Create Audience" }).click();
  await page.getByRole("link", { name: "View audience and upload report" }).click();
  await expect(page.getByText("No people received yet")).toBeVisible();
  const audience = page.url();
  const address = await page.getByLabel("Endpoint URL for Segment").inputValue();

  await signIn(page, "publisher@example.com");
  const { secret } = await (await page.request.post("/api/keys", { data: { name } })).json();
  const events = Array.from({ length: 7 }, (_, index) => ({
    type: "identify",
    userId: `u${index}`,
    traits: { email: `segment${index}@example.com`, buyers: index < 6 },
    context: { personas: { computation_class: "audience", computation_key: "buyers" } },
  }));
  const sent = await page.request.post(address, { headers: { Authorization: `Bearer ${secret}` }, data: events });
  expect(await sent.json()).toMatchObject({ ingested: { added: 6, absent: 1 }, size: 6 });

  await page.goto(audience);
  await expect(page.getByText("People received")).toBeVisible();
  await expect(page.getByText("Add 994 more people")).toBeVisible();
  await expect(page.locator("main")).not.toContainText("@example.com");
});

test("erasing people asks first, and the list is still there on the way back", async ({ page }, { project }) => {
  // Erasing people interrupts what other tests import into the same account.
  await registerCompany(page, "publisher");
  await page.goto("/publisher/audiences/erasure");
  const list = page.getByLabel("Email addresses, phone numbers or hashes");
  const people = [1, 2].map((number) => `erased${number}-${crypto.randomUUID()}@example.com`).join("\n");
  await list.fill(people);
  await page.getByRole("button", { name: "Erase people" }).click();
  const question = page.getByRole("heading", { name: "Erase people?" });
  await expect(question).toBeVisible();
  await expect(page.getByText("This removes the people of 2 lines from all your audiences")).toBeVisible();
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expect(list).toHaveValue(people);
  if (project.name === "scripting") await expect(page.locator("*:focus").filter({ has: list })).toHaveCount(1);
  await page.getByRole("button", { name: "Erase people" }).click();
  await expect(question).toBeVisible();
  await page.getByRole("button", { name: "Erase people" }).click();
  await expect(page).toHaveURL("/publisher/audiences");
  await expect(page.getByText("None of these people are in your audiences.")).toBeVisible();
});
