import type { AccountType } from "#app/domain/accounts/account.ts";
import type { Endpoint } from "../endpoint.ts";
import { analyticsEndpoints } from "../endpoints/analytics-endpoints.ts";
import { apiKeyEndpoints } from "../endpoints/api-key-endpoints.ts";
import { audienceEndpoints } from "../endpoints/audience-endpoints.ts";
import { audienceMemberEndpoints } from "../endpoints/audience-member-endpoints.ts";
import { billingEndpoints } from "../endpoints/billing-endpoints.ts";
import { campaignEndpoints } from "../endpoints/campaign-endpoints.ts";
import { connectionEndpoints } from "../endpoints/connection-endpoints.ts";
import { creativeEndpoints } from "../endpoints/creative-endpoints.ts";
import { importEndpoints } from "../endpoints/import-endpoints.ts";
import { invoiceEndpoints } from "../endpoints/invoice-endpoints.ts";
import { paymentMethodEndpoints } from "../endpoints/payment-method-endpoints.ts";
import { payoutEndpoints } from "../endpoints/payout-endpoints.ts";
import { productEndpoints } from "../endpoints/product-endpoints.ts";
import { reportEndpoints } from "../endpoints/report-endpoints.ts";
import { reviewEndpoints } from "../endpoints/review-endpoints.ts";
import { statementEndpoints } from "../endpoints/statement-endpoints.ts";
import { storeEndpoints } from "../endpoints/store-endpoints.ts";
import { subscriptionEndpoints } from "../endpoints/subscription-endpoints.ts";
import { walletEndpoints } from "../endpoints/wallet-endpoints.ts";
import { webhookEndpoints } from "../endpoints/webhook-endpoints.ts";
import { endpoints } from "../endpoints.ts";

type Group = { slug: string; title: string; text: string; endpoints: Record<string, Endpoint> };

/** The areas of the API, in the order of the reference. An endpoint that is in no other area is in the last. */
const areas: readonly Group[] = [
  {
    slug: "campaigns",
    title: "Campaigns",
    text: "Create, change, launch, review, pause and archive campaigns.",
    endpoints: { ...campaignEndpoints, ...reviewEndpoints },
  },
  {
    slug: "audiences",
    title: "Audiences",
    text: "Audiences, their people and their reach.",
    endpoints: { ...audienceEndpoints, ...audienceMemberEndpoints },
  },
  {
    slug: "integrations",
    title: "Integrations",
    text: "Services that audiences are filled from.",
    endpoints: connectionEndpoints,
  },
  {
    slug: "products",
    title: "Products and stores",
    text: "The catalog, its imports and connected stores.",
    endpoints: { ...productEndpoints, ...importEndpoints, ...storeEndpoints },
  },
  { slug: "creatives", title: "Creatives", text: "Images and videos of ads.", endpoints: creativeEndpoints },
  {
    slug: "analytics",
    title: "Analytics",
    text: "Delivery by period, and files of it.",
    endpoints: analyticsEndpoints,
  },
  {
    slug: "reports",
    title: "Reports",
    text: "Saved views of analytics, and when they are emailed to whom.",
    endpoints: reportEndpoints,
  },
  {
    slug: "billing",
    title: "Billing",
    text: "Money: transactions, statements, payment methods, and what each side pays and earns.",
    endpoints: {
      ...walletEndpoints,
      ...invoiceEndpoints,
      ...payoutEndpoints,
      ...subscriptionEndpoints,
      ...billingEndpoints,
      ...statementEndpoints,
      ...paymentMethodEndpoints,
    },
  },
  {
    slug: "webhooks",
    title: "Webhooks",
    text: "Events that are sent to your systems as they happen.",
    endpoints: webhookEndpoints,
  },
  {
    slug: "account",
    title: "Account and keys",
    text: "API keys, sign-in and the account's own state.",
    endpoints: apiKeyEndpoints,
  },
];

export type EndpointGroup = { slug: string; title: string; text: string; names: string[] };

/**
 * Returns the areas of a portal with the names of the endpoints that its account may call. Areas without any are left
 * out.
 */
export function endpointGroups(portal: AccountType): EndpointGroup[] {
  const grouped = new Set(areas.flatMap((area) => Object.keys(area.endpoints)));
  const others = Object.keys(endpoints).filter((name) => !grouped.has(name));
  const rows = new Map<string, Endpoint>(Object.entries(endpoints));
  return areas
    .map(({ slug, title, text, endpoints: own }, index) => {
      const names = [...Object.keys(own), ...(index === areas.length - 1 ? others : [])];
      return { slug, title, text, names: names.filter((name) => isForPortal(rows.get(name), portal)) };
    })
    .filter(({ names }) => names.length > 0);
}

/** Endpoints of operators are in no portal: an operator's key is made on the server. */
function isForPortal(endpoint: Endpoint | undefined, portal: AccountType): boolean {
  return endpoint !== undefined && ["visitor", "user", "tenant", portal].includes(endpoint.access);
}
