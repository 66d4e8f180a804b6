import type { Page } from "@playwright/test";
import { reportPage } from "#tests/support/browser/screens.ts";

/** A form of one screen, filled in so that nothing but the network keeps it from being sent. */
export type SentForm = {
  name: string;
  open: (page: Page) => Promise<unknown>;
  submit: string | RegExp;
  /** A field and the value that it must keep. */
  kept: { label: string | RegExp; value: string };
  /** Fills or chooses the rest; by default only the kept field is filled. */
  complete?: (page: Page) => Promise<unknown>;
};

const at = (path: string) => (page: Page) => page.goto(path);
const audience = "Weekend hikers";

async function firstOf(page: Page, list: string, link: string | RegExp) {
  await page.goto(list);
  await page.getByRole("link", { name: link }).first().click();
}

/** The forms of the screens that `formCases` has no form of: with those, every form that people type or choose in. */
export const sentForms: SentForm[] = [
  {
    name: "top-up",
    open: at("/advertiser/test-mode/billing/top-up"),
    submit: "Pay now",
    kept: { label: /^Amount/, value: "750" },
  },
  {
    name: "credentials of Klaviyo",
    open: at("/publisher/test-mode/audiences/connections/klaviyo"),
    submit: "Connect Klaviyo",
    kept: { label: "Private API key", value: "pk_not_sent" },
  },
  {
    name: "credentials of a store",
    open: at("/advertiser/test-mode/products/stores/connect?kind=woocommerce"),
    submit: "Connect WooCommerce",
    complete: async (page) => {
      await page.getByLabel("Consumer key").fill("ck_not_sent");
      await page.getByLabel("Consumer secret").fill("cs_not_sent");
    },
    kept: { label: "Store URL", value: "https://shop.example.com" },
  },
  {
    name: "settings of an audience",
    open: async (page) => {
      await page.goto(`/publisher/test-mode/audiences?q=${encodeURIComponent(audience)}`);
      await page.getByRole("link", { name: `Edit ${audience}` }).click();
    },
    submit: "Save audience",
    kept: { label: "Description", value: "Who walks on weekends" },
  },
  {
    name: "people to erase",
    open: at("/publisher/test-mode/audiences/erasure"),
    submit: "Erase people",
    kept: { label: "Email addresses, phone numbers or hashes", value: "nobody@example.org" },
  },
  {
    name: "review of a campaign",
    open: (page) => firstOf(page, "/publisher/test-mode/approval", /^Review Details/),
    submit: "Reject",
    kept: { label: "Approval Notes (Optional)", value: "Not this season" },
  },
  {
    name: "edit of a managed campaign",
    open: (page) => firstOf(page, "/publisher/test-mode/campaigns?filter=managed&q=Rain", /^Edit /),
    submit: "Save campaign",
    kept: { label: "Campaign name", value: "Harbor Picks: Rain Shells, not saved" },
  },
  {
    name: "campaign for an advertiser",
    open: at("/publisher/test-mode/campaigns/create-for-advertiser"),
    submit: "Create Campaign",
    complete: async (page) => {
      await page.getByLabel("Advertiser").selectOption({ label: "Northwind Outdoors" });
      for (const choice of ["Conversions", "Display", audience, "DV360"]) await page.getByLabel(choice).first().check();
      await page.getByLabel("Total budget").fill("1,500.50");
      await page.getByLabel("Daily budget").fill("100");
      const end = new Date(Date.now() + 20 * 86_400_000);
      await page.getByLabel("End date").fill(end.toISOString().slice(0, 10));
    },
    kept: { label: "Campaign name", value: "Not created" },
  },
  {
    name: "category of several products",
    open: at("/advertiser/test-mode/products/selected?of=all&intent=category&q=tent"),
    submit: "Change category",
    kept: { label: "New category", value: "Shelters" },
  },
  {
    name: "new API key",
    open: at("/advertiser/test-mode/profile"),
    submit: "Create key",
    kept: { label: "Key name", value: "Not created" },
  },
  {
    name: "schedule of a report",
    open: async (page) => page.goto(`${await reportPage(page, "advertiser")}/schedule`),
    submit: "Save schedule",
    complete: (page) => page.getByRole("radio", { name: "Daily" }).check(),
    kept: { label: /^Time$/, value: "17" },
  },
  {
    name: "email settings",
    open: at("/publisher/test-mode/profile"),
    submit: "Save email settings",
    kept: { label: /^Time zone/, value: "Asia/Dubai" },
  },
  {
    name: "columns of a catalog file",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/products/upload");
      await page.getByLabel("Product file").setInputFiles({
        name: "pots.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("name,sku,category,price\nStorm Pot,P-1,Tea,12.50\n"),
      });
      await page.getByRole("button", { name: "Upload and preview" }).click();
      await page.getByText("Ready to import").first().waitFor();
    },
    submit: "Apply and reread",
    kept: { label: /^Currency/, value: "EUR" },
  },
];
