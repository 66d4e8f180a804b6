import type { Page } from "@playwright/test";
import { plans } from "#app/domain/billing/plan.ts";
import { formatCentsShort } from "#app/domain/money.ts";
import { changeDatabase } from "#tests/support/forms/form-openers.ts";

/**
 * A screen of a portal, and texts of the product or of the demo data that it must show. Opened in test mode, or signed
 * in as `as` if the demo tenant lacks the screen.
 */
export type Screen = {
  path: string | ((page: Page) => Promise<string>);
  expectedTexts: readonly string[];
  as?: string;
};

export const advertiserScreens: Record<string, Screen> = {
  dashboard: {
    path: "/dashboard",
    expectedTexts: [
      "Active Campaigns",
      "Total Spend",
      "Impressions",
      "Clicks",
      "CTR",
      "ROAS",
      "vs previous",
      "Show as table",
      "Quick Actions",
      "Recent Activity",
    ],
  },
  campaigns: {
    path: "/campaigns",
    expectedTexts: ["My Campaigns", "Create Campaign", "Channels", "Budget", "CTR", "ROAS", "Dates"],
  },
  "campaigns, filtered": {
    path: "/campaigns?status=paused&sort=name",
    expectedTexts: ["Camp Kitchen Bundle"],
  },
  "campaigns, none found": {
    path: "/campaigns?q=nothing-like-this",
    expectedTexts: ["No campaigns found", "No campaigns match the current filter"],
  },
  "campaigns, chosen columns": {
    path: "/campaigns?columns=channels,clicks,ctr,conversions,roas",
    expectedTexts: ["Views", "Columns", "Conversions", "ROAS"],
  },
  "save a view": {
    path: "/views?list=campaigns&query=status%3Dpaused",
    expectedTexts: ["Save view", "Only you see your views.", "Sort order", "Newest first", "Usual columns"],
  },
  "create campaign": {
    path: "/campaigns/create",
    expectedTexts: ["Campaign Setup", "Review & Launch", "Awareness", "Traffic", "Conversions", "Previous", "Next"],
  },
  "a campaign": { path: (page) => firstLink(page, "/campaigns", "View "), expectedTexts: ["History"] },
  "a campaign that runs": {
    path: (page) => firstLink(page, "/campaigns?status=active&q=Ridgeline", "View "),
    expectedTexts: [
      "Pace",
      "Projected",
      "Delivery by day",
      "By channel",
      "By audience",
      "By creative",
      "Frequency",
      "Show as table",
    ],
  },
  "wizard, step 2": {
    path: (page) => wizardStep(page, 2),
    expectedTexts: [
      "Ad Format & Creative",
      "Display",
      "Video",
      "Native",
      "Social",
      "Upload creatives",
      "layers.png",
      "Preview",
    ],
  },
  "wizard, step 3": {
    path: (page) => wizardStep(page, 3),
    expectedTexts: ["Audience & Targeting", "Estimated reach", "Weekend hikers", "Germany", "Frequency cap"],
  },
  "wizard, step 4": {
    path: (page) => wizardStep(page, 4),
    expectedTexts: ["Channel Selection", "DV360", "Amazon DSP", "The Trade Desk", "Adobe Advertising"],
  },
  "wizard, step 5": {
    path: (page) => wizardStep(page, 5),
    expectedTexts: ["Budget & Schedule", "Daily budget", "Start date", "End date"],
  },
  "wizard, step 6": {
    path: (page) => wizardStep(page, 6),
    expectedTexts: ["Review & Launch", "Not selected", "Launch Campaign"],
  },
  "delete a draft": {
    path: async (page) => (await wizardStep(page, 1)).replace(/edit\?.*/, "delete"),
    expectedTexts: ["Alpine Touring Preview", "Delete"],
  },
  products: {
    path: "/products",
    expectedTexts: [
      "Product Catalog",
      "Add Product",
      "Export CSV",
      "SKU",
      "Inventory",
      "Low Stock",
      "Active",
      "NW-PK-040",
      "Packs",
    ],
  },
  "products, filtered": {
    path: "/products?q=nw-bt&status=low_stock&sort=price_high",
    expectedTexts: ["Camp Moc", "Low Stock"],
  },
  "products, none found": {
    path: "/products?q=nothing-like-this",
    expectedTexts: ["No products found", "No products match the current filter"],
  },
  "upload products": {
    path: "/products/upload",
    expectedTexts: [
      "Upload Products",
      "Product List",
      "CSV or XLSX, up to 50MB, also ODS, XLS or a product feed in XML",
      "Download CSV template",
      "Fields in the file",
      "Required",
      "Optional",
      "Inventory count",
      "Image URL",
      "Brand",
    ],
  },
  "an import, to look at": {
    path: (page) => importPage(page, previewFile),
    expectedTexts: [
      "Ready to import",
      "Import 2 products",
      "First rows",
      "New",
      "Rows with problems",
      "Category is missing",
      "Columns",
      "Apply and reread",
    ],
  },
  "an import that failed": {
    path: (page) => importPage(page, "%PDF-1.7"),
    expectedTexts: ["Not imported", "Nothing was imported", "This is a PDF"],
  },
  "connect a store": {
    path: "/products/stores/connect?kind=woocommerce",
    expectedTexts: [
      "Connect Store",
      "Shopify",
      "WooCommerce",
      "Consumer key",
      "Stored encrypted",
      "Every day",
      "Each sync overwrites your edits",
      "permissions to Read",
    ],
  },
  "a product": {
    path: (page) => firstLink(page, "/products?q=NW-CK-005", "View "),
    expectedTexts: [
      "Enamel Camp Set",
      "SKU NW-CK-005",
      "Low Stock",
      "Plates, bowls and mugs for four.",
      "Last updated",
    ],
  },
  "add a product": {
    path: "/products/create",
    expectedTexts: ["Product name", "SKU", "Category", "Price", "Inventory count", "Image URL", "Brand", "Add Product"],
  },
  "edit a product": {
    path: async (page) => `${await productPage(page, "NW-CK-005")}/edit`,
    expectedTexts: ["Edit “Enamel Camp Set”", "Save product"],
  },
  "delete a product": {
    path: async (page) => `${await productPage(page, "NW-TN-003")}/delete`,
    expectedTexts: ["Delete “Basecamp 4 Tent”?", "Keep product"],
  },
  "delete a product that is used": {
    path: async (page) => `${await productPage(page, "NW-PK-040")}/delete`,
    expectedTexts: ["You can't delete this product while these approved or pending campaigns use it:"],
  },
  "several products, to delete": {
    path: "/products/selected?of=all&intent=delete&category=Packs",
    expectedTexts: ["Delete 3 products?", "Longhaul 65 Pack", "Keep products"],
  },
  "several products, to another category": {
    path: "/products/selected?of=all&intent=category&q=tent",
    expectedTexts: ["Change the category of 2 products", "New category"],
  },
  creatives: {
    path: "/creatives",
    expectedTexts: ["JPG, PNG, MP4, GIF up to 50MB each", "pack.png", "PNG · 960 × 502 · 46 KB", "of 5 GB"],
  },
  "delete a creative that is used": {
    path: (page) => firstLink(page, "/creatives", "Delete pack.png", "advertiser"),
    expectedTexts: [
      "Delete “pack.png”?",
      "You can't delete this creative while these approved or pending campaigns use it:",
    ],
  },
  analytics: {
    path: "/analytics",
    expectedTexts: [
      "Advertiser view",
      "Publisher view",
      "Apply Filters",
      "Export CSV",
      "Export XLSX",
      "Spend by day",
      "ROAS",
      "Total",
    ],
  },
  "analytics, a day at a time": {
    path: "/analytics?range=7d&view=publisher&group=day&metric=CTR",
    expectedTexts: ["CTR by day", "CTR by channel", "Days"],
  },
  reports: {
    path: async (page) => (await reportPage(page, "advertiser")).replace(/\/[^/]+$/, ""),
    expectedTexts: ["Reports", "Create from analytics", "Weekly by channel", "Every Monday at 8:00 AM", "Active"],
  },
  "save a report": {
    path: "/reports/create?query=group%3Dchannel%26split%3Daudience%26category%3DPacks",
    expectedTexts: [
      "Save report",
      "By channel and audience, filtered by product category",
      "Everyone in your account sees reports.",
    ],
  },
  "a report": {
    path: (page) => reportPage(page, "advertiser"),
    expectedTexts: ["Weekly by channel", "Send to me now", "Next email", "Maya Lindqvist", "Dates (UTC)", "Send now"],
  },
  "rename a report": {
    path: async (page) => `${await reportPage(page, "advertiser")}/edit`,
    expectedTexts: ["Rename report", "Everyone in your account sees reports."],
  },
  "schedule a report": {
    path: async (page) => `${await reportPage(page, "advertiser")}/schedule`,
    expectedTexts: ["Change schedule", "How often", "Day of the week", "Dates in the report", "Delete schedule"],
  },
  "delete a schedule": {
    path: async (page) => `${await reportPage(page, "advertiser")}/schedule?ask=delete`,
    expectedTexts: ["Delete this schedule?", "Keep schedule"],
  },
  "delete a report": {
    path: async (page) => `${await reportPage(page, "advertiser")}?ask=delete`,
    expectedTexts: ["Delete this report?", "Keep report"],
  },
  "analytics, nothing found": {
    path: "/analytics?campaign=nothing",
    expectedTexts: ["No results", "Clear filters"],
  },
  billing: {
    path: "/billing",
    expectedTexts: ["Billing & Spend", "Overview", "Ad Spend", "Total ad spend", "Recent transactions", "Succeeded"],
  },
  "billing, ad spend": {
    path: "/billing?tab=spend",
    expectedTexts: ["Total ad spend", "All types", "All months", "Export CSV", "Campaign spend", "Amount"],
  },
  "payment methods": {
    path: "/billing?tab=methods",
    expectedTexts: ["Payment Methods", "Visa •••• 4242", "Default", "12/2034", "Add payment method", "Remove"],
  },
  "remove a payment method": {
    path: (page) => firstLink(page, "/billing?tab=methods", "Remove Visa", "advertiser"),
    expectedTexts: ["Remove Visa •••• 4242?", "Keep payment method"],
  },
  "top up": {
    path: "/billing/top-up?amount=500",
    expectedTexts: ["Top up your wallet", "From $10 to $100,000", "$1,000", "Visa •••• 4242", "Pay now"],
  },
  "billing, nothing found": {
    path: "/billing?tab=spend&type=adjustment&month=2001-01",
    expectedTexts: ["No transactions found", "No transactions match the current filter"],
  },
  invoices: {
    as: "second-advertiser@example.com",
    path: "/billing/invoices",
    expectedTexts: ["Invoices", "INV-000001", "Paid", "Issued", "Due"],
  },
  "an invoice": {
    as: "second-advertiser@example.com",
    path: (page) => linkOn(page, "/advertiser/billing/invoices", "INV-000001"),
    expectedTexts: [
      "Invoice INV-000001",
      "Brightside Coffee Roasters",
      "Paid or credited",
      "Cold Brew Cans Launch",
      "Total",
    ],
  },
  "a statement": {
    path: "/billing/statements",
    expectedTexts: ["Statement for", "Opening balance", "Balance now", "Campaign spend", "CSV", "PDF"],
  },
  notifications: { path: "/notifications", expectedTexts: ["Notifications", "All", "Unread"] },
  "activity of a range that ends before it begins": {
    path: "/activity?from=2026-02-02&to=2026-02-01",
    expectedTexts: ["This range ends before it begins", "Enter a day that is not before the first"],
  },
  activity: {
    path: "/activity?q=Ridgeline",
    expectedTexts: ["Activity", "All types", "Everyone", "Export CSV", "Other companies", "launched", "Ridgeline"],
  },
  webhooks: {
    path: "/webhooks",
    expectedTexts: ["Webhooks", "No webhooks yet", "Add a webhook", "Campaign approved", "How it works"],
  },
  search: {
    path: "/search?q=ridge",
    expectedTexts: ["Search: ridge", "Campaigns", "All campaigns that match", "Products", "Ridgeline 40 Pack"],
  },
  "search, without a text": { path: "/search", expectedTexts: ["Where you can go", "Create campaign", "Invoices"] },
  "search, none found": { path: "/search?q=nothing-like-this", expectedTexts: ["No results"] },
  "an offered audience": {
    path: (page) => firstLink(page, "/search?q=weekend+hikers", "Weekend hikers", "advertiser"),
    expectedTexts: ["Weekend hikers", "Harbor Goods", "Category enthusiasts", "CPM"],
  },
  api: { path: "/api", expectedTexts: ["Manage API keys", "GET /api/campaigns", "ENDCAP_KEY", "Webhooks"] },
  "an area of the api": {
    path: "/api/campaigns",
    expectedTexts: ["POST /api/campaigns/{id}/launch", "Idempotency-Key", "selected_audiences", "invalid_transition"],
  },
  help: {
    path: "/help",
    expectedTexts: ["Who to ask", "Keyboard shortcuts", "Go to a page", "Money terms", "Reserved", "openapi.json"],
  },
  profile: { path: "/profile", expectedTexts: ["Northwind Outdoors"] },
  "an address that emails come back from": {
    as: "second-advertiser@example.com",
    path: () => heldBackAddress("second-advertiser@example.com"),
    expectedTexts: ["Confirm your email address", "come back", "5.1.1", "Look in the spam folder too", "Send email"],
  },
  "thank you": {
    path: "/thank-you/campaign-created",
    expectedTexts: ["You'll be automatically redirected in 10 seconds"],
  },
  "not there": { path: "/campaigns/01900000-0000-7000-8000-000000000001", expectedTexts: ["Page not found"] },
};

export const publisherScreens: Record<string, Screen> = {
  dashboard: {
    path: "/dashboard",
    expectedTexts: ["Active Audiences", "Revenue Earned", "Pending Approvals", "Managed Campaigns"],
  },
  audiences: {
    path: "/audiences",
    expectedTexts: [
      "Audiences",
      "Upload Audience",
      "Weekend hikers",
      "Below minimum",
      "Used in",
      "Last refresh",
      "84,312",
    ],
  },
  "audiences, filtered": {
    path: "/audiences?segment=seasonal-shoppers&status=ready&q=gift",
    expectedTexts: ["Gift shoppers"],
  },
  "audiences, none found": {
    path: "/audiences?q=nothing-like-this",
    expectedTexts: ["No audiences found", "No audiences match the current filter"],
  },
  "upload an audience": {
    path: "/audiences/create",
    expectedTexts: [
      "File upload",
      "API integration",
      "Direct integration",
      "Setup takes 1-2 business days",
      "Direct integration requires an enterprise plan",
      "Audience name",
      "CPM rate",
      "Refresh frequency",
      "Hashed e-mail addresses (SHA-256)",
      "Remove personal data",
      "Minimum 1,000 records",
      "Create Audience",
      "Cancel",
    ],
  },
  "upload an audience by the API": {
    path: "/audiences/create?method=api",
    expectedTexts: ["Setup takes 1-2 business days"],
  },
  "upload an audience from a connector": {
    path: "/audiences/create?method=direct",
    expectedTexts: [
      "Salesforce",
      "HubSpot",
      "Klaviyo",
      "Segment",
      "Adobe",
      "Google Analytics",
      "Coming soon",
      "Not connected yet",
    ],
  },
  connections: {
    path: "/audiences/connections",
    expectedTexts: [
      "HubSpot",
      "Salesforce",
      "Klaviyo",
      "Segment sends people to us",
      "Google Analytics",
      "Coming soon",
    ],
  },
  "disconnect a program that is not connected": {
    path: "/audiences/connections/hubspot/disconnect",
    expectedTexts: ["Disconnect HubSpot?", "HubSpot is not connected. Connect it under Integrations."],
  },
  "connect Klaviyo": {
    path: "/audiences/connections/klaviyo",
    expectedTexts: [
      "Private API key",
      "The key needs read access to Lists, Segments and Profiles",
      "store them encrypted",
    ],
  },
  "connect Salesforce": {
    path: "/audiences/connections/salesforce",
    expectedTexts: ["Salesforce URL", "Consumer key", "Consumer secret"],
  },
  "choose a list without a connection": {
    path: async (page) => `${await audiencePage(page, "High-value home and garden")}/list`,
    expectedTexts: ["Salesforce is not connected. Connect it under Integrations.", "Integrations"],
  },
  "an audience": {
    path: (page) => audiencePage(page, "Weekend hikers"),
    expectedTexts: ["84,312", "Earned", "Revenue", "Upload files", "Klaviyo", "Not chosen yet", "Daily"],
  },
  "an audience below the minimum": {
    path: (page) => audiencePage(page, "Kayak owners (pilot)"),
    expectedTexts: ["Add 358 more people"],
  },
  "upload files to an audience": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/uploads`,
    expectedTexts: ["Upload files to “Weekend hikers”", "Replace", "Customer files", "Data guidance"],
  },
  "edit an audience": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/edit`,
    expectedTexts: ["Audience configuration", "Data source", "Save audience"],
  },
  "archive an audience that is used": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/archive`,
    expectedTexts: ["You can't archive this audience while these approved or pending campaigns use it:"],
  },
  "archive an audience": {
    path: async (page) => `${await audiencePage(page, "Kayak owners (pilot)")}/archive`,
    expectedTexts: ["Archive audience", "Keep audience"],
  },
  "an audience by the API": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/api`,
    expectedTexts: ["/members", "Authorization: Bearer YOUR_KEY", "Idempotency-Key"],
  },
  approval: {
    path: "/approval",
    expectedTexts: [
      "Campaign Approval",
      "Review and approve advertiser campaigns",
      "Pending Review",
      "Approved",
      "Rejected",
      "All Campaigns",
      "by Northwind Outdoors",
      "Review Details",
    ],
  },
  analytics: {
    path: "/analytics?range=custom&channel=dv360",
    expectedTexts: ["Publisher view", "Earnings by day", "eCPM", "Weekend hikers", "From", "Total"],
  },
  "a report": {
    path: (page) => reportPage(page, "publisher"),
    expectedTexts: ["Weekly by channel", "Send to me now", "Next email", "Recipients"],
  },
  "schedule a report": {
    path: async (page) => `${await reportPage(page, "publisher")}/schedule`,
    expectedTexts: ["Change schedule", "Only people of your account."],
  },
  "approval, rejected": { path: "/approval?status=rejected", expectedTexts: ["Ultralight Week"] },
  "campaign details": {
    // Not the first one, which may be of another test and have no creative.
    path: (page) => firstLink(page, "/approval", "Review Details of Members Week Teaser"),
    expectedTexts: [
      "Campaign Details",
      "Frequency cap",
      "3 impressions per day",
      "Creative preview",
      "Approval Notes (Optional)",
      "Close",
      "Reject",
      "Approve",
    ],
  },
  "campaign details, decided": {
    path: (page) => firstLink(page, "/approval?status=approved", "Review Details"),
    expectedTexts: ["Campaign Details", "Channel type", "Close"],
  },
  campaigns: {
    path: "/campaigns",
    expectedTexts: [
      "Campaign Management",
      "Manage campaigns using your audiences",
      "Create Campaign for Advertiser",
      "Managed by Me",
      "Pending Approval",
      "Total Campaigns",
      "Commission Earned",
      "Total Impressions",
      "Avg. CTR",
      "Performance",
      "Commission",
    ],
  },
  "campaigns, managed": { path: "/campaigns?filter=managed", expectedTexts: ["Managed", "Harbor Picks: Rain Shells"] },
  "a campaign that runs": {
    path: (page) => firstLink(page, "/campaigns?filter=active&q=Ridgeline", "Details of "),
    expectedTexts: [
      "Pace",
      "Projected",
      "Delivery by day",
      "By channel",
      "By audience",
      "By creative",
      "Frequency",
      "Show as table",
    ],
  },
  "create for an advertiser": {
    path: "/campaigns/create-for-advertiser",
    expectedTexts: ["Commission", "Estimated reach"],
  },
  "a campaign": {
    path: async (page) =>
      (await firstLink(page, "/approval", "Review Details")).replace(/approval\/([^?]+).*/, "campaigns/$1"),
    expectedTexts: ["History"],
  },
  products: {
    path: "/products",
    expectedTexts: ["Product Catalog", "Teak Folding Chair", "HG-1301", "Low Stock", "Garden"],
  },
  "a product": {
    path: (page) => firstLink(page, "/products?q=HG-1301", "View Garden", "publisher"),
    expectedTexts: ["Garden Tool Roll", "SKU HG-1301"],
  },
  "add a product": { path: "/products/create", expectedTexts: ["Add Product", "Image URL"] },
  creatives: { path: "/creatives", expectedTexts: ["Upload creatives", "layers.png", "PNG · 960 × 502 · 34 KB"] },
  billing: {
    path: "/billing",
    expectedTexts: [
      "Billing",
      "Overview",
      "Earnings",
      "Transactions",
      "Total earnings",
      "Monthly subscription",
      "Enterprise",
    ],
  },
  "payment methods": {
    path: "/billing?tab=methods",
    expectedTexts: ["Payment Methods", "Visa •••• 4242", "Default", "Add payment method"],
  },
  "billing, subscription": {
    path: "/billing?tab=subscription",
    expectedTexts: [
      "Your plan",
      "Enterprise",
      "Next charge",
      "Visa •••• 4242",
      "Up to 25 campaigns",
      formatCentsShort(plans.professional.monthlyAmount),
      "Current plan",
      "Upgrade",
    ],
  },
  "a smaller plan": {
    path: "/billing/subscription/plans/professional",
    expectedTexts: ["Change to Professional", "Due now", "$0.00", "You pay nothing today", "Change plan"],
  },
  "billing, earnings": {
    path: "/billing?tab=earnings",
    expectedTexts: ["Advertiser spend", "Platform fee", "Your earnings", "All statuses", "Export CSV", "Pending"],
  },
  revenue: {
    path: "/revenue",
    expectedTexts: ["Revenue", "Total earnings", "Pending", "Paid", "Next payout", "Sandbox Bank ending 6789"],
  },
  "the bank account of payouts": {
    path: "/revenue/account",
    expectedTexts: ["Bank account", "Closed", "Save account"],
  },
  "a payout": {
    path: (page) => firstLink(page, "/revenue", "Statement", "publisher"),
    expectedTexts: [
      "Payout of $",
      "Statement",
      "Line items",
      "Advertiser spend",
      "Platform fee",
      "Your earnings",
      "Total",
    ],
  },
  "a statement": {
    path: "/billing/statements",
    expectedTexts: ["Statement for", "Opening balance", "Balance now", "Earnings", "Payout"],
  },
  search: {
    path: "/search?q=hikers",
    expectedTexts: ["Search: hikers", "Audiences", "Weekend hikers", "All audiences that match"],
  },
  api: { path: "/api", expectedTexts: ["Manage API keys", "POST /api/audiences/{id}/members", "ENDCAP_KEY"] },
  "an area of the api": {
    path: "/api/audiences",
    expectedTexts: ["file=@customers.csv", "multipart/form-data", "add[].email"],
  },
  help: { path: "/help", expectedTexts: ["Upload Audiences", "Commission earned", "openapi.json"] },
  profile: { path: "/profile", expectedTexts: ["Harbor Goods"] },
  "thank you for an audience": {
    path: "/thank-you/audience-uploaded?audience=01900000-0000-7000-8000-000000000001",
    expectedTexts: ["Manage Audiences", "View Revenue", "View audience and upload report"],
  },
  "thank you": {
    path: "/thank-you/campaign-approved",
    expectedTexts: ["You'll be automatically redirected in 10 seconds"],
  },
  "not there": { path: "/campaigns/01900000-0000-7000-8000-000000000001", expectedTexts: ["Page not found"] },
};

/** Returns a screen's URL in test mode, or signs in first if the screen has an `as`. */
export async function screenUrl(page: Page, portal: "advertiser" | "publisher", screen: Screen): Promise<string> {
  const base = screen.as ? `/${portal}` : `/${portal}/test-mode`;
  return typeof screen.path === "string" ? base + screen.path : screen.path(page);
}

function firstLink(
  page: Page,
  list: string,
  name: string,
  portal = name.startsWith("View") ? "advertiser" : "publisher",
): Promise<string> {
  return linkOn(page, `/${portal}/test-mode${list}`, name);
}

/**
 * Returns the URL of the first link with that name. The page is fetched, not opened, which takes a tenth of the time.
 */
async function linkOn(page: Page, path: string, name: string): Promise<string> {
  const html = await (await page.request.get(path)).text();
  const to = await page.evaluate(
    ({ html, name }) => {
      const links = new DOMParser().parseFromString(html, "text/html").querySelectorAll("a[href]");
      const nameOf = (link: Element) => link.getAttribute("aria-label") ?? link.textContent ?? "";
      const found = [...links].find((link) => nameOf(link).replace(/\s+/g, " ").includes(name));
      return found?.getAttribute("href");
    },
    { html, name: name.trim() },
  );
  if (!to) throw new Error(`${path} has no link ${name}`);
  return to;
}

const previewFile = "name,sku,category,price\nStorm Pot,P-1,Tea,12.50\nStorm Pan,P-2,Pans,20\nLid,P-3,,3\n";

/** Returns the page of a file uploaded just now, once it is processed. */
async function importPage(page: Page, file: string): Promise<string> {
  await page.goto("/advertiser/test-mode/products/upload");
  await page
    .getByLabel("Product file")
    .setInputFiles({ name: "pots.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await page.waitForURL(/\/products\/imports\//);
  await page
    .getByText(/Ready to import|Not imported/)
    .first()
    .waitFor();
  return new URL(page.url()).pathname;
}

/** Returns the page of one of the demo advertiser's products. */
async function productPage(page: Page, sku: string): Promise<string> {
  return (await firstLink(page, `/products?q=${sku}`, "View ")).replace(/\?.*/, "");
}

/** Returns the page of a demo audience. */
async function audiencePage(page: Page, name: string): Promise<string> {
  return firstLink(page, `/audiences?q=${encodeURIComponent(name)}`, `Details of ${name}`);
}

/** Returns a step of the demo's half-filled draft. */
async function wizardStep(page: Page, step: number): Promise<string> {
  const to = await linkOn(page, "/advertiser/test-mode/campaigns?q=Alpine", "Edit Alpine Touring Preview");
  return `${to}?step=${step}`;
}

/** Returns the page that confirms an advertiser's address, after an email to it came back. */
async function heldBackAddress(email: string): Promise<string> {
  const insert = `insert into mail_suppressions (user_id, address, reason, status, suppressed_at)
    select id, email, 'bounce', '5.1.1', now() from users where email = $1 on conflict do nothing`;
  await changeDatabase(insert, [email]);
  return "/advertiser/profile/confirm-email";
}

const reportPages = new Map<string, string>();

/** Returns the page of a scheduled report that was sent once; each process of the tests saves one for each portal. */
export async function reportPage(page: Page, portal: "advertiser" | "publisher"): Promise<string> {
  const known = reportPages.get(portal);
  if (known) return known;
  await page.goto(`/${portal}/test-mode/reports/create?query=group%3Dchannel&step=schedule`);
  await page.getByLabel("Name").fill(`Weekly by channel ${crypto.randomUUID().slice(0, 8)}`);
  await page.getByRole("button", { name: "Save and schedule" }).click();
  await page.getByRole("button", { name: "Schedule report" }).click();
  await page.getByRole("button", { name: "Send to me now" }).click();
  await page.getByRole("table", { name: "Emails" }).waitFor();
  const path = new URL(page.url()).pathname;
  reportPages.set(portal, path);
  return path;
}
