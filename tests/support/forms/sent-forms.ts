import type { Page } from "@playwright/test";
import { reportPage } from "#tests/support/browser/screens.ts";
import { klaviyoAudience, openAccounts, openColumns, openStore } from "./form-openers.ts";

/** A form of one screen, filled in so that nothing but the network keeps it from being sent. */
export type SentForm = {
  name: string;
  /** The file of `app` and the component that renders the form; a component's second form is "… 2". */
  source: string;
  /** The form's requests for data; POST if there is none. */
  method?: "GET" | "POST";
  open: (page: Page) => Promise<unknown>;
  /** The name of the form's button, or what else sends it. */
  submit: string | RegExp | ((page: Page) => Promise<unknown>);
  /** A field and the value that it must keep; "chosen" is that of a radio button or checkbox. */
  kept?: { label: string | RegExp; value: string };
  /** Fills or chooses the rest; by default only the kept field is filled. */
  complete?: (page: Page) => Promise<unknown>;
};

export const at = (path: string) => (page: Page) => page.goto(path);
const audience = "Weekend hikers";

async function firstOf(page: Page, list: string, link: string | RegExp) {
  await page.goto(list);
  await page.getByRole("link", { name: link }).first().click();
}

/** Forms that people type or choose in, of the screens that `formCases` has no form of. */
export const sentForms: SentForm[] = [
  {
    name: "top-up",
    source: "screens/advertiser/billing/top-up/route.tsx#TopUpForm",
    open: at("/advertiser/test-mode/billing/top-up"),
    submit: "Pay now",
    kept: { label: /^Amount/, value: "750" },
  },
  {
    name: "credentials of Klaviyo",
    source: "screens/publisher/audiences/connect/route.tsx#ConnectIntegration",
    open: at("/publisher/test-mode/audiences/connections/klaviyo"),
    submit: "Connect Klaviyo",
    kept: { label: "Private API key", value: "pk_not_sent" },
  },
  {
    name: "credentials of a store",
    source: "screens/shared/products/stores/connect/route.tsx#StoreForm",
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
    source: "screens/publisher/audiences/edit/route.tsx#EditAudience",
    open: async (page) => {
      await page.goto(`/publisher/test-mode/audiences?q=${encodeURIComponent(audience)}`);
      await page.getByRole("link", { name: `Edit ${audience}` }).click();
    },
    submit: "Save audience",
    kept: { label: "Description", value: "Who walks on weekends" },
  },
  {
    name: "people to erase",
    source: "screens/publisher/audiences/erasure/route.tsx#EraseForm",
    open: at("/publisher/test-mode/audiences/erasure"),
    submit: "Erase people",
    kept: { label: "Email addresses, phone numbers or hashes", value: "nobody@example.org" },
  },
  {
    name: "review of a campaign",
    source: "screens/publisher/campaigns/review/review-form.tsx#ReviewForm",
    open: (page) => firstOf(page, "/publisher/test-mode/approval", /^Review Details/),
    submit: "Reject",
    kept: { label: "Approval Notes (Optional)", value: "Not this season" },
  },
  {
    name: "edit of a managed campaign",
    source: "screens/publisher/campaigns/edit/route.tsx#EditManagedCampaign",
    open: (page) => firstOf(page, "/publisher/test-mode/campaigns?filter=managed&q=Rain", /^Edit /),
    submit: "Save campaign",
    kept: { label: "Campaign name", value: "Harbor Picks: Rain Shells, not saved" },
  },
  {
    name: "campaign for an advertiser",
    source: "screens/publisher/campaigns/create-for-advertiser/route.tsx#CreateForAdvertiser",
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
    source: "screens/shared/products/selected/route.tsx#SelectedProducts",
    open: at("/advertiser/test-mode/products/selected?of=all&intent=category&q=tent"),
    submit: "Change category",
    kept: { label: "New category", value: "Shelters" },
  },
  {
    name: "new API key",
    source: "screens/shared/profile/api-keys-card.tsx#NewKeyForm",
    open: at("/advertiser/test-mode/profile"),
    submit: "Create key",
    kept: { label: "Key name", value: "Not created" },
  },
  {
    name: "schedule of a report",
    source: "screens/shared/reports/schedule/schedule-form.tsx#ScheduleForm",
    open: async (page) => page.goto(`${await reportPage(page, "advertiser")}/schedule`),
    submit: "Save schedule",
    complete: (page) => page.getByRole("radio", { name: "Daily" }).check(),
    kept: { label: /^Time$/, value: "17" },
  },
  {
    name: "email settings",
    source: "screens/shared/profile/email-settings-card.tsx#EmailSettingsCard",
    open: at("/publisher/test-mode/profile"),
    submit: "Save email settings",
    kept: { label: /^Time zone/, value: "Asia/Dubai" },
  },
  {
    name: "columns of a catalog file",
    source: "screens/shared/products/import/column-mapping-form.tsx#ColumnMappingForm",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/products/upload");
      await page.getByLabel("Product file").setInputFiles({
        name: "pots.csv",
        mimeType: "text/csv",
        buffer: Buffer.from("name,sku,category,price\nStorm Pot,P-1,Tea,12.50\n"),
      });
      await page.getByRole("button", { name: "Upload and preview" }).click();
      await page.getByRole("heading", { name: /Ready to import/ }).waitFor();
    },
    submit: "Apply and reread",
    kept: { label: /^Currency/, value: "EUR" },
  },
  {
    name: "bank account",
    source: "screens/publisher/revenue/payout-account/sandbox-accounts.tsx#SandboxAccounts",
    open: at("/publisher/test-mode/revenue/account"),
    submit: "Save account",
    kept: { label: /Closed/, value: "chosen" },
  },
  {
    name: "list of an integration",
    source: "screens/publisher/audiences/remote-list/route.tsx#ChooseRemoteList",
    open: async (page) => page.goto(`${await klaviyoAudience(page)}/list`),
    submit: "Select and refresh",
    kept: { label: "Best customers", value: "chosen" },
  },
  {
    name: "columns of an audience file",
    source: "screens/publisher/audiences/upload-columns/column-uses-form.tsx#ColumnUsesForm",
    open: openColumns,
    submit: "Save columns",
    kept: { label: "Herkunft", value: "country" },
  },
  {
    name: "settings of a store",
    source: "screens/shared/products/stores/detail/route.tsx#ConnectedStore 2",
    open: openStore,
    submit: "Save",
    kept: { label: "Category for products without one", value: "Not saved" },
  },
  {
    name: "work email of a sign-in",
    source: "screens/public/sign-in-forms.tsx#SignInForms",
    open: at("/advertiser/login"),
    submit: "Continue",
    kept: { label: "Work email", value: "jo@acme.example" },
  },
  {
    name: "another email address of the sign-in stand-in",
    source: "screens/dev/google/authorize/route.tsx#GoogleAuthorize 2",
    open: openAccounts,
    submit: "Continue",
    kept: { label: "Use another email address", value: "jo@example.org" },
  },
  {
    name: "filters of a list",
    source: "ui/filter-form.tsx#FilterForm",
    method: "GET",
    open: at("/advertiser/test-mode/products"),
    submit: (page) => page.getByLabel("Search by name or SKU").press("Enter"),
    kept: { label: "Search by name or SKU", value: "tent" },
  },
  {
    name: "filters of analytics",
    source: "ui/filter-form.tsx#FilterForm",
    method: "GET",
    open: at("/advertiser/test-mode/analytics"),
    submit: (page) => page.getByLabel("Date range").selectOption("7d"),
  },
  {
    name: "search page",
    source: "screens/shared/search/route.tsx#Search",
    method: "GET",
    open: at("/advertiser/test-mode/search"),
    submit: (page) => page.getByRole("main").getByRole("button", { name: "Search" }).click(),
    kept: { label: "Search campaigns, audiences, products, pages", value: "ridge" },
  },
  {
    name: "advertisers to create a campaign for",
    source: "screens/publisher/campaigns/create-for-advertiser/route.tsx#AdvertiserSearch",
    method: "GET",
    open: at("/publisher/test-mode/campaigns/create-for-advertiser?q=north"),
    submit: (page) => page.getByRole("main").getByRole("button", { name: "Search" }).click(),
    kept: { label: "Search advertisers by name", value: "ridge" },
  },
  {
    name: "month of a statement",
    source: "ui/filter-form.tsx#FilterForm",
    method: "GET",
    open: at("/advertiser/test-mode/billing/statements"),
    submit: "View month",
  },
  {
    name: "columns of a list",
    source: "ui/table/columns-menu.tsx#ColumnsMenu",
    method: "GET",
    open: at("/advertiser/test-mode/campaigns"),
    submit: async (page) => {
      await page.locator("summary").filter({ hasText: "Columns" }).click();
      await page.getByRole("checkbox", { name: "Conversions" }).click();
    },
  },
  {
    name: "selected products",
    source: "screens/shared/products/list/selection.tsx#SelectableProducts",
    method: "GET",
    open: at("/advertiser/test-mode/products?q=tent"),
    submit: (page) =>
      page
        .getByRole("form", { name: "Selected products" })
        .getByRole("button", { name: /^Delete/ })
        .click(),
    kept: { label: "Select Basecamp 4 Tent", value: "chosen" },
  },
  {
    name: "selected campaigns",
    source: "screens/shared/campaigns/bulk/bulk-bar.tsx#BulkBar",
    open: at("/advertiser/test-mode/campaigns?status=active&q=Ridgeline"),
    submit: "Pause selected campaigns",
    kept: { label: /^Select .*Ridgeline/, value: "chosen" },
  },
];
