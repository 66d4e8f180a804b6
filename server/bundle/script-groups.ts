import { posix } from "node:path";

/**
 * The modules that share a file of the browser's script, by its name: paths below `app/`, without their extensions; a
 * `*` stands for all of a folder. Modules that the same screens load share a file anyway. Each of these groups is
 * loaded by screens that load most of it: a file costs a page as much as 0.5 KB of script
 * (docs/decisions/0131-few-script-files.md). A file takes along what its modules import and no other group has.
 */
export const scriptGroups: Readonly<Record<string, readonly string[]>> = {
  frame: [
    "entry.client",
    "portal/*",
    "web/request-id",
    "web/static-page",
    "ui/lazy/page-hydration",
    "ui/lazy/part-loads",
    "ui/form/running-forms",
    "ui/form/use-form-response",
    "ui/form/use-scripting",
    "ui/time/use-time-formats",
    "ui/badge",
    "ui/button",
    "ui/format",
    "ui/icon",
    "ui/page-header",
    "ui/menu",
    "ui/notice",
    "ui/message-page",
    "ui/progress",
    "ui/row-icon",
    "screens/shared/forms/focus-on-change",
    "domain/money",
    "domain/calendar-date",
    "domain/rate",
    "domain/catalog/product",
    "domain/campaigns/campaign",
  ],
  form: [
    "ui/field",
    "ui/form/field-frame",
    "ui/form/form-focus",
    "ui/form/form-summary",
    "ui/form/form-values",
    "ui/form/opened-value",
    "ui/form/use-checked-form",
    "ui/form/use-form-control",
  ],
  table: [
    "ui/filter-form",
    "ui/table/column",
    "ui/table/column-steps",
    "ui/table/data-table",
    "ui/table/row-actions",
    "ui/table/row-title",
    "ui/table/sort-link",
    "ui/table/sort-select",
  ],
  list: [
    "ui/table/choose-columns",
    "ui/table/columns-menu",
    "ui/table/list-head",
    "ui/table/list-menu",
    "ui/table/list-query",
    "ui/table/list-state",
    "ui/table/pagination",
    "screens/shared/views/list-tools",
    "screens/shared/views/view-lists",
    "screens/shared/views/views-menu",
  ],
  tiles: ["ui/definitions", "ui/stat-tiles", "ui/trend"],
  dialog: ["ui/dialog", "screens/shared/forms/confirm-dialog"],
  "confirm-action": ["screens/shared/forms/confirm-action", "screens/shared/campaigns/blocking-campaigns"],
  lazy: ["ui/chart/lazy-time-series", "ui/lazy/is-same-value", "ui/lazy/later-root", "ui/lazy/lazy-part"],
  "lazy-code": ["ui/lazy/lazy-code", "ui/lazy/part-failure", "ui/lazy/screen-part"],
  sparkline: ["ui/chart/geometry", "ui/chart/metric-format", "ui/chart/sparkline"],
  breakdown: ["ui/chart/breakdown", "ui/chart/chart-table"],
  campaign: [
    "domain/campaigns/campaign-field-kinds",
    "domain/campaigns/campaign-fields",
    "screens/publisher/campaigns/version-copy",
    "screens/shared/campaigns/campaign-copy",
    "screens/shared/campaigns/fields/in-order",
  ],
  "campaign-status": [
    "domain/campaigns/status/campaign-rejection",
    "domain/campaigns/status/status-reason",
    "domain/campaigns/status/status-reason-copy",
    "screens/shared/campaigns/archive-form",
    "screens/shared/campaigns/status/campaign-funds-notice",
    "screens/shared/campaigns/status/campaign-status",
  ],
  "top-up": ["screens/shared/billing/more-than-shortfall", "screens/shared/billing/top-up-link"],
  "creative-copy": [
    "domain/creatives/creative",
    "screens/shared/creatives/creative-copy",
    "screens/shared/creatives/creative-files-field",
    "screens/shared/creatives/creative-thumbnail",
  ],
  "creative-previews": [
    "ui/external-link",
    "screens/shared/campaigns/campaign-facts",
    "screens/shared/creatives/ad-frame",
    "screens/shared/creatives/creative-previews",
  ],
  // These four are loaded on demand, under their names.
  "time-series": ["ui/chart/time-series"],
  "budget-form": ["screens/shared/campaigns/budget/budget-form"],
  "setup-fields": ["screens/shared/campaigns/fields/setup-fields"],
  "channel-fields": ["screens/shared/campaigns/fields/channel-fields"],
  // What several groups import.
  "brand-mark": ["ui/brand-mark"],
  "file-field": ["ui/drop-zone", "ui/file-field"],
  "creative-upload": ["screens/shared/creatives/creative-upload", "screens/shared/creatives/use-creative-upload"],
  "campaign-fields": [
    "screens/shared/campaigns/fields/creative-fields",
    "screens/shared/campaigns/fields/pacing-field",
    "screens/shared/campaigns/fields/schedule-fields",
    "screens/shared/creatives/creative-picker",
  ],
  "managed-campaign": [
    "screens/publisher/campaigns/create-for-advertiser/managed-campaign-fields",
    "screens/publisher/campaigns/create-for-advertiser/own-creative-fields",
  ],
  "audience-fields": [
    "screens/shared/campaigns/fields/audience-fields",
    "screens/shared/campaigns/fields/frequency-cap-fields",
    "screens/shared/campaigns/fields/geolocation-fields",
    "screens/shared/campaigns/reach/reach-estimate",
    "screens/shared/campaigns/reach/reach-result",
    "screens/shared/campaigns/reach/use-reach",
    "screens/shared/campaigns/reach/use-selected-audiences",
  ],
  audience: [
    "domain/audiences/audience",
    "screens/publisher/audiences/audience-badges",
    "screens/shared/campaigns/reach/format-people-range",
  ],
  "audience-files": [
    "domain/audiences/consent/audience-consent",
    "screens/publisher/audiences/audience-files",
    "screens/publisher/audiences/background-upload",
    "screens/publisher/audiences/consent-fields",
  ],
  "data-source": ["domain/audiences/data-source", "screens/publisher/subscription/see-plans-link"],
  encodings: ["sheets/text/encodings", "ui/table/numbered-cell"],
  payout: [
    "domain/billing/adjustment",
    "domain/billing/payouts/payout",
    "domain/calendar-month",
    "screens/shared/billing/billing-status-badge",
  ],
  payment: [
    "domain/billing/payment-methods/payment-method",
    "screens/shared/billing/add-payment-method-form",
    "screens/shared/billing/payments-unavailable",
  ],
  money: ["domain/billing/money-words", "screens/shared/billing/money-definitions"],
  history: ["screens/shared/activity/activity-sentence", "screens/shared/activity/history-timeline"],
  store: ["domain/catalog/stores/store", "screens/shared/products/stores/store-status"],
  "product-tabs": ["ui/form/other-viewer", "screens/shared/products/product-tabs"],
  "saved-view": [
    "domain/saved-views/saved-view",
    "screens/shared/views/view-facts",
    "screens/shared/views/view-name-form",
  ],
  webhook: ["ui/copy-field", "screens/shared/webhooks/webhook-badges"],
  account: ["domain/accounts/account", "domain/notifications/feedback/suppression-copy"],
  code: ["ui/code-block", "screens/shared/api-reference/code-text"],
  site: ["screens/public/public-page-meta", "screens/public/site-layout"],
};

const names = new Map(Object.entries(scriptGroups).flatMap(([name, paths]) => paths.map((path) => [path, name])));

/** Returns the name of a module's group by its file. */
export function scriptGroupOf(id: string): string | undefined {
  const path = /\/app\/(.+)\.tsx?$/.exec(id)?.[1];
  return path === undefined ? undefined : (names.get(path) ?? names.get(`${posix.dirname(path)}/*`));
}
