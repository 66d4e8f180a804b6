/**
 * Forms and scripts that send something, and that `formCases`, `sentForms` and `buttonForms` leave out: the file of the
 * test that loses their requests, or the form that they send.
 */
export const formsElsewhere: Readonly<Record<string, { test: string } | { sends: string } | { why: string }>> = {
  "portal/search/search-dialog.tsx#SearchDialog": { test: "e2e/shortcuts.scripting.test.ts" },
  "portal/search/search-field.tsx#SearchField": { why: "With scripting the dialog is in its place" },
  "portal/uploads/upload-queue.ts#send request": { test: "e2e/uploads.scripting.test.ts" },
  "screens/advertiser/billing/invoice/pay-invoice.tsx#PayInvoiceForm": { test: "e2e/invoices.test.ts" },
  "screens/advertiser/campaigns/wizard/creative-step.tsx#FormatAndCreatives submit": {
    test: "e2e/lost-uploads.scripting.test.ts",
  },
  "screens/advertiser/campaigns/wizard/form-autosave.ts#FormAutosave request": {
    test: "e2e/wizard-autosave.scripting.test.ts",
  },
  "screens/advertiser/campaigns/wizard/form-autosave.ts#FormAutosave request 2": {
    test: "e2e/wizard-autosave.scripting.test.ts",
  },
  "screens/advertiser/campaigns/wizard/use-step-links.ts#useStepLinks submit": {
    test: "e2e/wizard-autosave.scripting.test.ts",
  },
  "screens/public/auth-callback/route.tsx#Authenticating submit": { test: "e2e/lost-requests.scripting.test.ts" },
  "screens/publisher/audiences/create/use-create-audience-with-files.ts#useCreateAudienceWithFiles submit": {
    test: "e2e/lost-uploads.scripting.test.ts",
  },
  "screens/publisher/audiences/upload-form.tsx#UploadForm": { test: "e2e/lost-uploads.scripting.test.ts" },
  "screens/publisher/audiences/upload-form.tsx#UploadForm submit": { why: "Only while the server responds" },
  "screens/publisher/revenue/payout-account/stripe-account.tsx#StripeAccount": {
    why: "A form of a button like `buttonForms`; the browser tests have no Stripe",
  },
  "screens/shared/profile/confirm-email/route.tsx#ConfirmEmail": {
    why: "A form of a button like `buttonForms`, for an address that emails come back from",
  },
  "screens/shared/profile/confirm-email/route.tsx#ConfirmEmail 2": {
    why: "A form of a button like `buttonForms`, for an address that emails come back from",
  },
  "screens/shared/creatives/list/route.tsx#Creatives": { test: "e2e/lost-uploads.scripting.test.ts" },
  "screens/shared/creatives/upload-creative-file.ts#uploadCreativeFile request": {
    test: "e2e/lost-uploads.scripting.test.ts",
  },
  "screens/shared/products/upload/catalog-file-form.tsx#CatalogFileForm": {
    test: "e2e/lost-uploads.scripting.test.ts",
  },
  "screens/shared/products/upload/use-file-upload.ts#useFileUpload request": {
    test: "e2e/lost-uploads.scripting.test.ts",
  },
  "screens/shared/campaigns/bulk/bulk-bar.tsx#BulkBar submit": {
    sends: "screens/shared/campaigns/bulk/bulk-bar.tsx#BulkBar",
  },
  "ui/filter-form.tsx#FilterForm submit": { sends: "ui/filter-form.tsx#FilterForm" },
  "ui/table/columns-menu.tsx#ColumnsMenu submit": { sends: "ui/table/columns-menu.tsx#ColumnsMenu" },
  "ui/link.tsx#PlainForm": { why: "What `Form` is on the server" },
  "ui/form/use-form-control.ts#useFormControl submit": { why: "Submits any form once its checks are loaded" },
  "web/lost-requests/retries.ts#resubmit submit": { why: "Submits any form again" },
};
