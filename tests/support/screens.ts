import type { Page } from "@playwright/test";

/**
 * A screen of a portal, and words of the specification or of the demo data that it must show. It is looked at in test mode; one that
 * the tenant there has not, `as` somebody who signs in for it.
 */
export type Screen = { path: string | ((page: Page) => Promise<string>); says: readonly string[]; as?: string };

export const advertiserScreens: Record<string, Screen> = {
  dashboard: {
    path: "/dashboard",
    says: [
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
    says: ["My Campaigns", "Create Campaign", "Channels", "Budget", "CTR", "ROAS", "Dates"],
  },
  "campaigns, filtered": {
    path: "/campaigns?status=paused&sort=name",
    says: ["Camp Kitchen Bundle"],
  },
  "campaigns, none found": {
    path: "/campaigns?q=nothing-like-this",
    says: ["No campaigns found", "No campaigns match the current filter"],
  },
  "create campaign": {
    path: "/campaigns/create",
    says: ["Campaign Setup", "Review & Launch", "Awareness", "Traffic", "Conversions", "Previous", "Next"],
  },
  "a campaign": { path: (page) => firstLink(page, "/campaigns", "View "), says: ["History"] },
  "a campaign that runs": {
    path: (page) => firstLink(page, "/campaigns?status=active&q=Ridgeline", "View "),
    says: [
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
    says: ["Ad Format & Creative", "Display", "Video", "Native", "Social", "Upload creatives", "layers.png", "Preview"],
  },
  "wizard, step 3": {
    path: (page) => wizardStep(page, 3),
    says: ["Audience & Targeting", "Estimated reach", "Weekend hikers", "Germany", "Frequency cap"],
  },
  "wizard, step 4": {
    path: (page) => wizardStep(page, 4),
    says: ["Channel Selection", "DV360", "Amazon DSP", "The Trade Desk", "Adobe Advertising"],
  },
  "wizard, step 5": {
    path: (page) => wizardStep(page, 5),
    says: ["Budget & Schedule", "Daily budget", "Start date", "End date"],
  },
  "wizard, step 6": {
    path: (page) => wizardStep(page, 6),
    says: ["Review & Launch", "Not selected", "Launch Campaign"],
  },
  "delete a draft": {
    path: async (page) => (await wizardStep(page, 1)).replace(/edit\?.*/, "delete"),
    says: ["Alpine Touring Preview", "Delete"],
  },
  products: {
    path: "/products",
    says: [
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
  "products, filtered": { path: "/products?q=nw-bt&status=low_stock&sort=price_high", says: ["Camp Moc", "Low Stock"] },
  "products, none found": {
    path: "/products?q=nothing-like-this",
    says: ["No products found", "No products match the current filter"],
  },
  "upload products": {
    path: "/products/upload",
    says: [
      "Upload Products",
      "Product List",
      "CSV or XLSX, up to 50MB",
      "Download CSV template",
      "Fields",
      "Required",
      "Optional",
      "Inventory count",
      "Image URL",
      "Brand",
    ],
  },
  "an import, to look at": {
    path: (page) => importPage(page, previewFile),
    says: [
      "Waiting for you",
      "Import 2 products",
      "First rows",
      "New",
      "Rows to look at",
      "The category is missing",
      "Columns",
      "Read again",
    ],
  },
  "an import that failed": {
    path: (page) => importPage(page, "%PDF-1.7"),
    says: ["Not imported", "Nothing was imported", "This is a PDF"],
  },
  "connect a store": {
    path: "/products/stores/connect?kind=woocommerce",
    says: ["Connect Store", "Shopify", "WooCommerce", "Consumer key", "Kept encrypted", "Every day", "permission Read"],
  },
  "a product": {
    path: (page) => firstLink(page, "/products?q=NW-CK-005", "View "),
    says: ["Enamel Camp Set", "SKU NW-CK-005", "Low Stock", "Plates, bowls and mugs for four.", "Last change"],
  },
  "add a product": {
    path: "/products/create",
    says: ["Product name", "SKU", "Category", "Price", "Inventory count", "Image URL", "Brand", "Add Product"],
  },
  "edit a product": {
    path: async (page) => `${await productPage(page, "NW-CK-005")}/edit`,
    says: ["Edit “Enamel Camp Set”", "Save product"],
  },
  "delete a product": {
    path: async (page) => `${await productPage(page, "NW-TN-003")}/delete`,
    says: ["Delete “Basecamp 4 Tent”?", "Keep it"],
  },
  "delete a product that is used": {
    path: async (page) => `${await productPage(page, "NW-PK-040")}/delete`,
    says: ["It cannot be deleted while a campaign shows it"],
  },
  "several products, to delete": {
    path: "/products/selected?of=all&intent=delete&category=Packs",
    says: ["Delete 3 products?", "Longhaul 65 Pack", "Keep them"],
  },
  "several products, to another category": {
    path: "/products/selected?of=all&intent=category&q=tent",
    says: ["Change the category of 2 products", "New category"],
  },
  creatives: {
    path: "/creatives",
    says: ["JPG, PNG, MP4, GIF up to 50MB each", "pack.png", "PNG · 960 × 502 · 46 KB", "of 5 GB"],
  },
  "delete a creative that is used": {
    path: (page) => firstLink(page, "/creatives", "Delete pack.png", "advertiser"),
    says: ["Delete “pack.png”?", "It cannot be deleted while a campaign shows it"],
  },
  analytics: {
    path: "/analytics",
    says: [
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
    says: ["CTR by day", "CTR by channel", "Days"],
  },
  "analytics, nothing found": {
    path: "/analytics?campaign=nothing",
    says: ["Nothing delivered here", "Clear filters"],
  },
  billing: {
    path: "/billing",
    says: ["Billing & Spend", "Overview", "Ad Spend", "Total ad spend", "Recent transactions", "Succeeded"],
  },
  "billing, ad spend": {
    path: "/billing?tab=spend",
    says: ["Total ad spend", "All types", "All months", "Export CSV", "Campaign spend", "Amount"],
  },
  "payment methods": {
    path: "/billing?tab=methods",
    says: ["Payment Methods", "Visa •••• 4242", "Default", "12/2034", "Add payment method", "Remove"],
  },
  "remove a payment method": {
    path: (page) => firstLink(page, "/billing?tab=methods", "Remove Visa", "advertiser"),
    says: ["Remove Visa •••• 4242?", "Keep it"],
  },
  "top up": {
    path: "/billing/top-up?amount=500",
    says: ["Top up your wallet", "From $10 to $100,000", "$1,000", "Visa •••• 4242", "Pay now"],
  },
  "billing, nothing found": {
    path: "/billing?tab=spend&type=adjustment&month=2001-01",
    says: ["No transactions found", "No transactions match the current filter"],
  },
  invoices: {
    as: "second-advertiser@example.com",
    path: "/billing/invoices",
    says: ["Invoices", "INV-000001", "Paid", "Issued", "Due"],
  },
  "an invoice": {
    as: "second-advertiser@example.com",
    path: (page) => linkOn(page, "/advertiser/billing/invoices", "INV-000001"),
    says: ["Invoice INV-000001", "Brightside Coffee Roasters", "Paid or taken off", "Cold Brew Cans Launch", "Total"],
  },
  "a statement": {
    path: "/billing/statements",
    says: ["Statement for", "Opening balance", "Balance now", "Campaign spend", "CSV", "PDF"],
  },
  notifications: { path: "/notifications", says: ["Notifications", "All", "Unread"] },
  activity: {
    path: "/activity?q=Ridgeline",
    says: ["Activity", "All kinds", "Everybody", "Export CSV", "Other companies", "launched", "Ridgeline"],
  },
  webhooks: {
    path: "/webhooks",
    says: ["Webhooks", "No webhooks yet", "Add a webhook", "A publisher approves a campaign", "How it works"],
  },
  profile: { path: "/profile", says: ["Northwind Outdoors"] },
  "thank you": { path: "/thank-you/campaign-created", says: ["You'll be automatically redirected in 10 seconds"] },
  "not there": { path: "/campaigns/01900000-0000-7000-8000-000000000001", says: ["Page not found"] },
};

export const publisherScreens: Record<string, Screen> = {
  dashboard: {
    path: "/dashboard",
    says: ["Active Audiences", "Revenue Earned", "Pending Approvals", "Managed Campaigns"],
  },
  audiences: {
    path: "/audiences",
    says: ["Audiences", "Upload Audience", "Weekend hikers", "Below minimum", "Used in", "Last refresh", "84,312"],
  },
  "audiences, filtered": { path: "/audiences?segment=seasonal-shoppers&status=ready&q=gift", says: ["Gift shoppers"] },
  "audiences, none found": {
    path: "/audiences?q=nothing-like-this",
    says: ["No audiences found", "No audiences match the current filter"],
  },
  "upload an audience": {
    path: "/audiences/create",
    says: [
      "File Upload",
      "API Integration",
      "Direct Integration",
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
  "upload an audience by the API": { path: "/audiences/create?method=api", says: ["Setup takes 1-2 business days"] },
  "upload an audience from a connector": {
    path: "/audiences/create?method=direct",
    says: [
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
    says: ["HubSpot", "Salesforce", "Klaviyo", "Segment sends people by itself", "Google Analytics", "Coming soon"],
  },
  "disconnect a program that is not connected": {
    path: "/audiences/connections/hubspot/disconnect",
    says: ["Disconnect HubSpot?", "HubSpot is not connected."],
  },
  "connect Klaviyo": {
    path: "/audiences/connections/klaviyo",
    says: ["Private API key", "It needs read access to Lists, Segments and Profiles", "stored encrypted"],
  },
  "connect Salesforce": {
    path: "/audiences/connections/salesforce",
    says: ["Address of your organisation", "Consumer key", "Consumer secret"],
  },
  "choose a list without a connection": {
    path: async (page) => `${await audiencePage(page, "High-value home and garden")}/list`,
    says: ["Salesforce is not connected", "Connections"],
  },
  "an audience": {
    path: (page) => audiencePage(page, "Weekend hikers"),
    says: ["84,312", "Earned", "Revenue", "Upload files", "Klaviyo", "Not chosen yet", "Daily"],
  },
  "an audience below the minimum": {
    path: (page) => audiencePage(page, "Kayak owners (pilot)"),
    says: ["358 more people are needed"],
  },
  "upload files to an audience": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/uploads`,
    says: ["Upload files to “Weekend hikers”", "Replace", "Customer files", "Data guidance"],
  },
  "edit an audience": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/edit`,
    says: ["Audience configuration", "Data source", "Save audience"],
  },
  "archive an audience that is used": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/archive`,
    says: ["It cannot be archived while a campaign uses it"],
  },
  "archive an audience": {
    path: async (page) => `${await audiencePage(page, "Kayak owners (pilot)")}/archive`,
    says: ["Archive audience", "Keep it"],
  },
  "an audience by the API": {
    path: async (page) => `${await audiencePage(page, "Weekend hikers")}/api`,
    says: ["/members", "Authorization: Bearer YOUR_KEY", "Idempotency-Key"],
  },
  approval: {
    path: "/approval",
    says: [
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
    says: ["Publisher view", "Earnings by day", "Earned CPM", "Weekend hikers", "From", "Total"],
  },
  "approval, rejected": { path: "/approval?status=rejected", says: ["Ultralight Week"] },
  "campaign details": {
    path: (page) => firstLink(page, "/approval", "Review Details"),
    says: [
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
    says: ["Campaign Details", "Channel type", "Close"],
  },
  campaigns: {
    path: "/campaigns",
    says: [
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
  "campaigns, managed": { path: "/campaigns?filter=managed", says: ["Managed", "Harbor Picks: Rain Shells"] },
  "a campaign that runs": {
    path: (page) => firstLink(page, "/campaigns?filter=active&q=Ridgeline", "Details of "),
    says: [
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
  "create for an advertiser": { path: "/campaigns/create-for-advertiser", says: ["Commission", "Estimated reach"] },
  "a campaign": {
    path: async (page) =>
      (await firstLink(page, "/approval", "Review Details")).replace(/approval\/([^?]+).*/, "campaigns/$1"),
    says: ["History"],
  },
  products: { path: "/products", says: ["Product Catalog", "Teak Folding Chair", "HG-1301", "Low Stock", "Garden"] },
  "a product": {
    path: (page) => firstLink(page, "/products?q=HG-1301", "View Garden", "publisher"),
    says: ["Garden Tool Roll", "SKU HG-1301"],
  },
  "add a product": { path: "/products/create", says: ["Add Product", "Image URL"] },
  creatives: { path: "/creatives", says: ["Upload creatives", "layers.png", "PNG · 960 × 502 · 34 KB"] },
  billing: {
    path: "/billing",
    says: ["Billing", "Overview", "Earnings", "Transactions", "Total earnings", "Monthly subscription", "Enterprise"],
  },
  "payment methods": {
    path: "/billing?tab=methods",
    says: ["Payment Methods", "Visa •••• 4242", "Default", "Add payment method"],
  },
  "billing, subscription": {
    path: "/billing?tab=subscription",
    says: [
      "Your plan",
      "Enterprise",
      "Next charge",
      "Visa •••• 4242",
      "Up to 25 campaigns",
      "$299",
      "Current plan",
      "Upgrade",
    ],
  },
  "a smaller plan": {
    path: "/billing/subscription/plans/professional",
    says: ["Change to Professional", "To pay now", "$0.00", "nothing is charged now", "Change plan"],
  },
  "billing, earnings": {
    path: "/billing?tab=earnings",
    says: ["Advertiser spend", "Platform fee", "Your earning", "All statuses", "Export CSV", "Pending"],
  },
  revenue: {
    path: "/revenue",
    says: ["Revenue", "Earned", "Pending", "Paid", "Next payout", "Sandbox Bank ending 6789"],
  },
  "the bank account of payouts": { path: "/revenue/account", says: ["Bank account", "Closed", "Save account"] },
  "a payout": {
    path: (page) => firstLink(page, "/revenue", "Statement", "publisher"),
    says: ["Payout of $", "Statement", "Lines", "Advertiser spend", "Platform fee", "Your earning", "Total"],
  },
  "a statement": {
    path: "/billing/statements",
    says: ["Statement for", "Opening balance", "Balance now", "Earnings", "Payout"],
  },
  profile: { path: "/profile", says: ["Harbor Goods"] },
  "thank you for an audience": {
    path: "/thank-you/audience-uploaded?audience=01900000-0000-7000-8000-000000000001",
    says: ["Manage Audiences", "View Revenue", "Open this audience"],
  },
  "thank you": { path: "/thank-you/campaign-approved", says: ["You'll be automatically redirected in 10 seconds"] },
  "not there": { path: "/campaigns/01900000-0000-7000-8000-000000000001", says: ["Page not found"] },
};

/** The address of a screen inside test mode, where nobody needs to sign in, unless it is somebody's. */
export async function addressOf(page: Page, portal: "advertiser" | "publisher", screen: Screen): Promise<string> {
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

/** Where the first link with that name leads. The page that has it is read, not opened, which takes a tenth of the time. */
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

/** The page of a file that was just sent, once it is read. */
async function importPage(page: Page, file: string): Promise<string> {
  await page.goto("/advertiser/test-mode/products/upload");
  await page
    .getByLabel("Product file")
    .setInputFiles({ name: "pots.csv", mimeType: "text/csv", buffer: Buffer.from(file) });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await page.waitForURL(/\/products\/imports\//);
  await page
    .getByText(/Waiting for you|Not imported/)
    .first()
    .waitFor();
  return new URL(page.url()).pathname;
}

/** The page of one of the demo advertiser's products. */
async function productPage(page: Page, sku: string): Promise<string> {
  return (await firstLink(page, `/products?q=${sku}`, "View ")).replace(/\?.*/, "");
}

/** The page of a demo audience. */
async function audiencePage(page: Page, name: string): Promise<string> {
  return firstLink(page, `/audiences?q=${encodeURIComponent(name)}`, `Details of ${name}`);
}

/** A step of the demo's half-filled draft. */
async function wizardStep(page: Page, step: number): Promise<string> {
  const to = await linkOn(page, "/advertiser/test-mode/campaigns?q=Alpine", "Edit Alpine Touring Preview");
  return `${to}?step=${step}`;
}
