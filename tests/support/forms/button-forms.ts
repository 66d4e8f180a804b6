import type { Page } from "@playwright/test";
import { registerCompany, uniqueName } from "#tests/support/browser/browser-users.ts";
import { reportPage } from "#tests/support/browser/screens.ts";
import {
  addCard,
  changeDatabase,
  klaviyoAudience,
  newAudience,
  openAccounts,
  openAsNew,
  openColumns,
  openStore,
} from "./form-openers.ts";
import { at, type SentForm } from "./sent-forms.ts";

const openReport = (part: string) => async (page: Page) => page.goto(`${await reportPage(page, "advertiser")}${part}`);

/** Opens the page, or the menu in the list, of a draft of its own. */
const openDraft = (state: "draft" | "archived", place: "page" | "menu") => async (page: Page) => {
  const name = uniqueName("Shelved");
  await registerCompany(page, "advertiser");
  const { campaign } = await (await page.request.post("/api/campaigns", { data: { name } })).json();
  if (state === "archived") await page.request.post(`/api/campaigns/${campaign.id}/archive`);
  await page.goto(place === "page" ? `/advertiser/campaigns/${campaign.id}` : "/advertiser/campaigns");
  if (place === "menu") await page.locator(`summary[aria-label='More actions for ${name}']`).click();
};

async function openSavedView(page: Page, part: (path: string) => string | Promise<unknown>) {
  await page.goto("/advertiser/test-mode/views?list=campaigns&query=status%3Dpaused");
  await page.getByLabel("Name").fill(uniqueName("Paused"));
  await page.getByRole("button", { name: "Save view" }).click();
  await page.waitForURL(/saved=/);
  const path = part(page.url());
  if (typeof path === "string") await page.goto(path);
}

async function openWebhook(page: Page, part = "") {
  await registerCompany(page, "advertiser");
  const data = { url: "http://127.0.0.1:9/nobody-listens", events: ["campaign.paused"] };
  const { webhook } = await (await page.request.post("/api/webhooks", { data })).json();
  await page.goto(`/advertiser/webhooks/${webhook.id}${part}`);
}

async function openImport(page: Page) {
  await page.goto("/advertiser/test-mode/products/upload");
  await page.getByLabel("Product file").setInputFiles({
    name: "pots.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("name,sku,category,price\nStorm Pot,P-1,Tea,12.50\n"),
  });
  await page.getByRole("button", { name: "Upload and preview" }).click();
  await page.waitForURL(/\/imports\//);
  await page.getByText("Ready to import").first().waitFor();
}

/** Follows the link of an email sent now: the mailbox's first page may not show an older one any more. */
async function openUnsubscribe(page: Page) {
  await page.goto(await reportPage(page, "advertiser"));
  const sent = page.getByRole("table", { name: "Emails" }).getByRole("row");
  const before = await sent.count();
  await page.getByRole("button", { name: "Send to me now" }).click();
  await sent.nth(before).waitFor();
  await page.goto("/dev/mailbox");
  await page
    .getByRole("link", { name: /Weekly by channel/ })
    .first()
    .click();
  const link = page.frameLocator("iframe").getByRole("link", { name: /unsubscribe/i });
  await page.goto((await link.getAttribute("href")) ?? "");
}

/** Opens the bank's page in place of which the sandbox asks to confirm a top-up. */
async function openConfirmation(page: Page) {
  await registerCompany(page, "advertiser");
  await addCard(page, "tok_confirmation");
  await page.goto("/advertiser/billing/top-up?amount=60");
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("heading", { name: "Confirm this payment" }).waitFor();
}

/** Opens the page of a plan whose last renewal failed. */
async function openOverduePlan(page: Page) {
  const email = await registerCompany(page, "publisher");
  await addCard(page, "tok_visa");
  await page.goto("/publisher/billing/subscription/plans/starter");
  await page.getByRole("button", { name: "Pay $99.00" }).click();
  await page.getByRole("heading", { name: "Subscription Activated" }).waitFor();
  await changeDatabase(
    "update subscriptions set status = 'past_due', past_due_since = now() where account_id = (select account_id from users where email = $1)",
    [email],
  );
  await page.goto("/publisher/billing/subscription/pay");
}

/** Forms of a button alone, or of several: what is sent says the button, and nothing is typed. */
export const buttonForms: SentForm[] = [
  {
    name: "sign-out of a portal's menu",
    source: "portal/portal-layout.tsx#AccountLinks",
    open: (page) => openAsNew(page, "advertiser", "/dashboard"),
    submit: "Sign Out",
  },
  {
    name: "dismissal of the test mode's banner",
    source: "portal/portal-layout.tsx#TestModeBanner",
    open: at("/advertiser/test-mode/help"),
    submit: (page) => page.getByLabel("Test mode").getByRole("button", { name: "Dismiss" }).click(),
  },
  {
    name: "sign-out of a denied page",
    source: "portal/access-denied.tsx#AccessDenied",
    open: async (page) => {
      await registerCompany(page, "advertiser");
      await page.goto("/publisher/dashboard");
    },
    submit: "Sign Out",
  },
  {
    name: "sign-out of a page outside the portals",
    source: "screens/public/site-layout.tsx#SiteHeader",
    open: async (page) => {
      await registerCompany(page, "advertiser");
      await page.goto("/thank-you/campaign-created");
    },
    submit: "Logout",
  },
  {
    name: "sign-out everywhere",
    source: "screens/shared/profile/sessions-card.tsx#SessionsCard",
    open: (page) => openAsNew(page, "advertiser", "/profile"),
    submit: "Sign out everywhere",
  },
  {
    name: "single-key shortcuts",
    source: "portal/shortcuts/single-keys-form.tsx#SingleKeysForm",
    open: at("/advertiser/test-mode/help"),
    submit: "Turn off single keys",
  },
  {
    name: "theme",
    source: "portal/topbar/account-menu.tsx#ThemeForm",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/help");
      await page.getByLabel(/: account$/).click();
    },
    submit: "Dark",
  },
  {
    name: "undo of a message",
    source: "portal/toast.tsx#UndoForm",
    open: async (page) => {
      await openDraft("draft", "menu")(page);
      await page.getByRole("button", { name: "Archive" }).click();
    },
    submit: "Undo",
  },
  {
    name: "all notifications of the bell",
    source: "portal/topbar/notifications-popover.tsx#NotificationsPopover",
    open: async (page) => {
      await openAsNew(page, "advertiser", "/help");
      await page.getByRole("link", { name: /^Notifications,/ }).click();
    },
    submit: "Mark all as read",
  },
  {
    name: "a notification of the bell",
    source: "portal/topbar/notifications-popover.tsx#NotificationsPopover 2",
    open: async (page) => {
      await openAsNew(page, "advertiser", "/help");
      await page.getByRole("link", { name: /^Notifications,/ }).click();
    },
    submit: /^Welcome to Endcap/,
  },
  {
    name: "all notifications",
    source: "screens/shared/notifications/route.tsx#Notifications",
    open: (page) => openAsNew(page, "advertiser", "/notifications"),
    submit: "Mark all as read",
  },
  {
    name: "a notification",
    source: "screens/shared/notifications/route.tsx#List",
    open: (page) => openAsNew(page, "advertiser", "/notifications"),
    submit: /^Welcome to Endcap/,
  },
  {
    name: "first steps to hide",
    source: "screens/shared/dashboard/first-steps-list.tsx#VisibilityForm",
    open: (page) => openAsNew(page, "advertiser", "/dashboard"),
    submit: "Hide this list",
  },
  {
    name: "example campaign",
    source: "screens/advertiser/campaigns/start-from-example.tsx#StartFromExample",
    open: (page) => openAsNew(page, "advertiser", "/campaigns"),
    submit: "Start from an example",
  },
  {
    name: "pause of a campaign",
    source: "screens/advertiser/campaigns/detail/campaign-buttons.tsx#CampaignActions",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/campaigns?status=active&q=Ridgeline");
      await page.locator(".row-link").first().click();
      await page.waitForURL(/\/campaigns\/[0-9a-f-]{36}$/);
    },
    submit: "Pause",
  },
  {
    name: "copy of a campaign",
    source: "screens/advertiser/campaigns/detail/campaign-buttons.tsx#MoreActions",
    open: async (page) => {
      await openDraft("draft", "page")(page);
      await page.locator("summary[aria-label^='More actions for']").click();
    },
    submit: "Duplicate",
  },
  {
    name: "copy of a campaign in the list",
    source: "screens/advertiser/campaigns/list/row-actions.tsx#DuplicateForm",
    open: openDraft("draft", "menu"),
    submit: "Duplicate",
  },
  {
    name: "pause of a campaign in the list",
    source: "screens/advertiser/campaigns/list/row-actions.tsx#PauseOrResume",
    open: at("/advertiser/test-mode/campaigns?status=active&q=Ridgeline"),
    submit: /^Pause .*Ridgeline/,
  },
  {
    name: "archiving of a campaign",
    source: "screens/shared/campaigns/archive-form.tsx#ArchiveForm",
    open: openDraft("draft", "menu"),
    submit: "Archive",
  },
  {
    name: "restoring of a campaign",
    source: "screens/shared/campaigns/archived-notice.tsx#ArchivedNotice",
    open: openDraft("archived", "page"),
    submit: "Restore campaign",
  },
  {
    name: "unsubscribing",
    source: "screens/public/unsubscribe/route.tsx#Unsubscribe",
    open: openUnsubscribe,
    submit: "Unsubscribe",
  },
  {
    name: "sign-in with Google",
    source: "screens/public/sign-in-forms.tsx#ProviderForm",
    open: at("/publisher/login"),
    submit: "Continue with Google",
  },
  {
    name: "account of the sign-in stand-in",
    source: "screens/dev/google/authorize/route.tsx#GoogleAuthorize",
    open: openAccounts,
    submit: /advertiser@example.com/,
  },
  {
    name: "test card",
    source: "screens/dev/payments/cards/route.tsx#SandboxCards",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/billing?tab=methods");
      await page.getByRole("button", { name: "Add payment method" }).click();
      await page.getByRole("heading", { name: "Choose a test card" }).waitFor();
    },
    submit: /4242/,
  },
  {
    name: "confirmation of a payment",
    source: "screens/dev/payments/confirm/route.tsx#SandboxConfirm",
    open: openConfirmation,
    submit: "Confirm payment",
  },
  {
    name: "new payment method",
    source: "screens/shared/billing/add-payment-method-form.tsx#AddPaymentMethodForm",
    open: at("/advertiser/test-mode/billing?tab=methods"),
    submit: "Add payment method",
  },
  {
    name: "default payment method",
    source: "screens/shared/billing/overview/payment-methods-tab.tsx#Actions",
    open: async (page) => {
      await registerCompany(page, "advertiser");
      for (const token of ["tok_visa", "tok_mastercard"]) await addCard(page, token);
      await page.goto("/advertiser/billing?tab=methods");
    },
    submit: /^Make .* the default$/,
  },
  {
    name: "plan from earnings",
    source: "screens/shared/billing/plan-funding-card.tsx#PlanFundingCard",
    open: at("/publisher/test-mode/billing?tab=subscription"),
    submit: /^Pay (from my earnings|with my payment method)$/,
  },
  {
    name: "change of the plan",
    source: "screens/publisher/subscription/choose-plan/route.tsx#ChoosePlan",
    open: at("/publisher/test-mode/billing/subscription/plans/professional"),
    submit: "Change plan",
  },
  {
    name: "payment of an overdue plan",
    source: "screens/publisher/subscription/pay/route.tsx#PaySubscription",
    open: openOverduePlan,
    submit: "Pay now",
  },
  {
    name: "payout",
    source: "screens/publisher/revenue/overview/next-payout.tsx#NextPayout",
    open: at("/publisher/test-mode/revenue"),
    submit: /^Request payout of/,
  },
  {
    name: "refresh of an audience",
    source: "screens/publisher/audiences/detail/direct-integration.tsx#DirectIntegration",
    open: async (page) => {
      await page.goto(`${await klaviyoAudience(page)}/list`);
      await page.getByRole("radio", { name: "Best customers" }).check();
      await page.getByRole("button", { name: "Select and refresh" }).click();
      await page.getByText("List selected").waitFor();
      const refresh = page.getByRole("button", { name: "Refresh now" });
      for (let tries = 0; tries < 20 && !(await refresh.isEnabled()); tries += 1) await page.reload();
    },
    submit: "Refresh now",
  },
  {
    name: "restoring of an audience",
    source: "screens/publisher/audiences/detail/route.tsx#Audience",
    open: async (page) => {
      const audience = await newAudience(page);
      await page.request.post(`/api/audiences/${audience.split("/").at(-1)}/archive`);
      await page.goto(audience);
    },
    submit: "Restore",
  },
  {
    name: "archiving of an audience, and each action that asks first",
    source: "screens/shared/forms/confirm-action.tsx#ConfirmAction",
    open: async (page) => page.goto(`${await klaviyoAudience(page)}/archive`),
    submit: "Archive audience",
  },
  {
    name: "columns to detect again",
    source: "screens/publisher/audiences/upload-columns/route.tsx#UploadColumns",
    open: async (page) => {
      const column = await openColumns(page);
      const url = page.url();
      await page.getByLabel(column).selectOption({ label: "Email address" });
      await page.getByRole("button", { name: "Save columns" }).click();
      await page.getByText("Columns saved").waitFor();
      await page.goto(url);
    },
    submit: "Detect automatically again",
  },
  {
    name: "pause of a line item",
    source: "screens/publisher/campaigns/pause-form.tsx#PauseResumeForm",
    open: at("/publisher/test-mode/campaigns?filter=active&q=Ridgeline"),
    submit: /^Pause .*Ridgeline/,
  },
  {
    name: "import of a preview",
    source: "screens/shared/products/import/preview-actions.tsx#PreviewActions",
    open: openImport,
    submit: "Import 1 product",
  },
  {
    name: "sync of a store",
    source: "screens/shared/products/stores/detail/route.tsx#ConnectedStore",
    open: openStore,
    submit: "Sync now",
  },
  {
    name: "sync of a store in the list",
    source: "screens/shared/products/upload/store-cards.tsx#StoreCard",
    open: async (page) => {
      await openStore(page);
      await page.goto("/advertiser/products/upload");
    },
    submit: "Sync now",
  },
  {
    name: "closing of an account",
    source: "screens/shared/profile/close/route.tsx#Erasure",
    open: (page) => openAsNew(page, "advertiser", "/profile/close"),
    submit: /^Erase and close in/,
  },
  {
    name: "account that is to be closed",
    source: "screens/shared/profile/close/route.tsx#Requested",
    open: async (page) => {
      await openAsNew(page, "advertiser", "/profile/close");
      await page.getByRole("button", { name: /^Erase and close in/ }).click();
      await page.getByText("Until then everything works as before").waitFor();
    },
    submit: "Cancel the request",
  },
  {
    name: "API key to revoke",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: async (page) => {
      await openAsNew(page, "advertiser", "/profile");
      await page.getByLabel("Key name").fill("Warehouse");
      await page.getByRole("button", { name: "Create key" }).click();
      await page.getByRole("link", { name: "Revoke Warehouse" }).click();
    },
    submit: "Revoke key",
  },
  {
    name: "pause of a report",
    source: "screens/shared/reports/detail/route.tsx#ReportDetails",
    open: openReport(""),
    submit: "Pause",
  },
  {
    name: "report to send",
    source: "screens/shared/reports/detail/route.tsx#ReportDetails 2",
    open: openReport(""),
    submit: "Send to me now",
  },
  {
    name: "report to delete",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: openReport("?ask=delete"),
    submit: "Delete report",
  },
  {
    name: "schedule to delete",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: openReport("/schedule?ask=delete"),
    submit: "Delete schedule",
  },
  {
    name: "changes of a report",
    source: "screens/shared/reports/reports-menu.tsx#ReportsMenu",
    open: async (page) => {
      await openReport("")(page);
      await page.getByRole("link", { name: "View in analytics" }).click();
      await page.getByLabel("Date range").selectOption("7d");
      await page.waitForURL(/range=7d/);
      await page.locator("summary").filter({ hasText: "Weekly by channel" }).click();
    },
    submit: "Save changes to report",
  },
  {
    name: "people to erase for good",
    source: "screens/publisher/audiences/erasure/confirm-erasure.tsx#ConfirmErasure",
    open: async (page) => {
      await page.goto("/publisher/test-mode/audiences/erasure");
      await page.getByLabel("Email addresses, phone numbers or hashes").fill("nobody@example.org");
      await page.getByRole("button", { name: "Erase people" }).click();
      await page.getByRole("heading", { name: "Erase people?" }).waitFor();
    },
    submit: "Erase people",
  },
  {
    name: "view to delete",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: (page) =>
      openSavedView(page, (url) => {
        const saved = new URL(url).searchParams.get("saved");
        return `/advertiser/test-mode/views/${saved}?ask=delete`;
      }),
    submit: "Delete view",
  },
  {
    name: "changes of a view",
    source: "screens/shared/views/views-menu.tsx#ViewsMenu",
    open: async (page) => {
      await openSavedView(page, (url) => url.replace("status=paused", "status=active"));
      await page.locator("summary").filter({ hasText: "Paused" }).first().click();
    },
    submit: "Save changes to view",
  },
  {
    name: "test of a webhook",
    source: "screens/shared/webhooks/detail/route.tsx#WebhookDetails",
    open: (page) => openWebhook(page),
    submit: "Send test event",
  },
  {
    name: "webhook to enable",
    source: "screens/shared/webhooks/detail/route.tsx#SwitchedOff",
    open: async (page) => {
      await openWebhook(page);
      const id = new URL(page.url()).pathname.replace(/.*\//, "");
      await changeDatabase("update webhooks set state = 'disabled' where id = $1", [id]);
      await page.reload();
    },
    submit: "Enable webhook",
  },
  {
    name: "event to send again",
    source: "screens/shared/webhooks/detail/delivery-table.tsx#WebhookDeliveryTable",
    open: async (page) => {
      await openWebhook(page);
      await page.getByRole("button", { name: "Send test event" }).click();
      await page.getByText("Retry scheduled").first().waitFor();
    },
    submit: "Resend webhook.test",
  },
  {
    name: "webhook whose secret to rotate",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: (page) => openWebhook(page, "?ask=rotate-secret"),
    submit: "Rotate secret",
  },
  {
    name: "webhook to remove",
    source: "screens/shared/forms/confirm-dialog.tsx#ConfirmDialog",
    open: (page) => openWebhook(page, "?ask=remove"),
    submit: "Remove webhook",
  },
];
