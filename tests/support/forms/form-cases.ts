import { expect, type Page } from "@playwright/test";
import { signInByCalls, wizardOfNewCampaign } from "#tests/support/browser/browser-users.ts";
import { reportPage } from "#tests/support/browser/screens.ts";

export type FormCase = {
  name: string;
  /** The file of `app` and the component that renders the form. */
  source: string;
  open: (page: Page) => Promise<unknown>;
  submit: string;
  /** A required field, its error message, and a valid value. */
  required?: { label: string; message: string; good: string };
  /** A field with an invalid and a valid value. */
  wrong: { label: string; bad: string; message: string; good: string };
  /** Fills the other required fields. */
  complete?: (page: Page) => Promise<unknown>;
  /** A field that keeps its value after an error. */
  kept: { label: string; value: string };
  /** Whether the browser sends the form despite its errors, because the server saves the valid fields. */
  sends?: boolean;
};

const at = (path: string) => (page: Page) => page.goto(path);

/** Forms of every kind, for tests of behavior that all forms share. */
export const formCases: FormCase[] = [
  {
    name: "registration",
    source: "screens/public/register/route.tsx#Register",
    open: async (page) => {
      await signInByCalls(page.context().request, `forms-${crypto.randomUUID()}@example.org`);
      await page.goto("/register?type=publisher");
    },
    submit: "Complete Registration",
    required: { label: "Company name", message: "Company name is required", good: "Pantry & Co" },
    wrong: {
      label: "Website",
      bad: "pantry.example",
      message: "Enter a URL, such as https://www.example.com",
      good: "https://pantry.example",
    },
    kept: { label: "Company name", value: "Pantry & Co" },
  },
  {
    name: "company profile",
    source: "screens/shared/profile/company-form.tsx#CompanyForm",
    open: at("/advertiser/test-mode/profile"),
    submit: "Save profile",
    required: { label: "Company name", message: "Company name is required", good: "Northwind Outdoors" },
    wrong: {
      label: "Monthly ad budget",
      bad: "much",
      message: "Enter an amount in US dollars, 0 or more",
      good: "12,000",
    },
    kept: { label: "Company name", value: "Northwind Outdoors & Co" },
  },
  {
    name: "product",
    source: "screens/shared/products/product-form.tsx#ProductForm",
    open: at("/publisher/test-mode/products/create"),
    submit: "Add Product",
    required: { label: "SKU", message: "Enter a SKU", good: "FORM-1" },
    wrong: {
      label: "Price",
      bad: "abc",
      message: "Enter a price in US dollars, such as 12 or 12.50",
      good: "12.50",
    },
    complete: (page) => page.getByLabel("Category").fill("Bells"),
    kept: { label: "Product name", value: "Brass Bell" },
  },
  {
    name: "budget of a campaign",
    source: "screens/shared/campaigns/budget/budget-form.tsx#BudgetForm",
    open: async (page) => {
      await page.goto("/advertiser/test-mode/campaigns?status=active");
      await page.locator(".row-link").first().click();
      await page.getByText("Change budget or end date").click();
    },
    submit: "Send change",
    wrong: {
      label: "Daily budget",
      bad: "abc",
      message: "Enter an amount in US dollars, such as 1200 or 1200.50",
      good: "500",
    },
    kept: { label: "Total budget", value: "91,000" },
  },
  {
    name: "webhook",
    source: "screens/shared/webhooks/list/new-webhook-form.tsx#NewWebhookForm",
    open: at("/advertiser/test-mode/webhooks"),
    submit: "Add webhook",
    required: {
      label: "Endpoint URL",
      message: "Enter a URL that begins with https://",
      good: "https://example.com/endcap",
    },
    wrong: {
      label: "Endpoint URL",
      bad: "example.com/endcap",
      message: "Enter a URL that begins with https://",
      good: "https://example.com/endcap",
    },
    complete: (page) => page.getByLabel("Campaign paused").check(),
    kept: { label: "Endpoint URL", value: "example.com/endcap" },
  },
  {
    name: "saved view",
    source: "screens/shared/views/view-name-form.tsx#ViewNameForm",
    open: at("/advertiser/test-mode/views?list=campaigns&query=status%3Dpaused"),
    submit: "Save view",
    required: { label: "Name", message: "Enter a name", good: "Paused" },
    wrong: { label: "Name", bad: "   ", message: "Enter a name", good: "Paused" },
    // The form has no other field.
    kept: { label: "Name", value: "   " },
  },
  {
    name: "report",
    source: "screens/shared/views/view-name-form.tsx#ViewNameForm",
    open: at("/advertiser/test-mode/reports/create?query=group%3Dchannel"),
    submit: "Save report",
    required: { label: "Name", message: "Enter a name", good: "By channel" },
    wrong: { label: "Name", bad: "   ", message: "Enter a name", good: "By channel" },
    // The form has no other field.
    kept: { label: "Name", value: "   " },
  },
  {
    name: "name of a report",
    source: "screens/shared/views/view-name-form.tsx#ViewNameForm",
    open: async (page) => page.goto(`${await reportPage(page, "advertiser")}/edit`),
    submit: "Rename report",
    required: { label: "Name", message: "Enter a name", good: "Weekly by channel" },
    wrong: { label: "Name", bad: "   ", message: "Enter a name", good: "Weekly by channel" },
    kept: { label: "Name", value: "   " },
  },
  {
    name: "audience",
    source: "screens/publisher/audiences/create/route.tsx#AudienceForm",
    open: at("/publisher/test-mode/audiences/create"),
    submit: "Create Audience",
    required: { label: "Audience name", message: "Enter an audience name", good: "Weekend hikers" },
    wrong: {
      label: "Estimated size",
      bad: "many",
      message: "Enter a whole number, 0 or more",
      good: "25,000",
    },
    complete: (page) => page.getByLabel("Segment").selectOption({ label: "Frequent buyers" }),
    kept: { label: "Description", value: "Who bought boots this year" },
  },
  {
    name: "step of the wizard",
    source: "screens/advertiser/campaigns/wizard/wizard-form.tsx#WizardForm",
    open: async (page) => page.goto(`${await wizardOfNewCampaign(page, "A form of steps")}?step=5`),
    submit: "Next: Review & Launch",
    wrong: {
      label: "Total budget",
      bad: "a lot",
      message: "Enter an amount in US dollars, such as 1200 or 1200.50",
      good: "1,200",
    },
    kept: { label: "Daily budget", value: "100" },
    sends: true,
  },
];

export async function expectError(page: Page, label: string, message: string) {
  await expect(page.getByLabel(label)).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel(label)).toHaveAccessibleDescription(
    new RegExp(message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")),
  );
}

export async function expectNoError(page: Page, label: string) {
  await expect(page.getByLabel(label)).not.toHaveAttribute("aria-invalid");
}
