import { type RouteVisits, routeTable } from "./route-visits.ts";

/** A second mount has the same files, and the stand-ins for Google and Stripe are not part of the product. */
export const sweptScreens = routeTable.filter(
  ({ path, file }) =>
    !/\/test-mode|^\/dev\/|^\/api|^\/logout$|^\/auth\//.test(path) && file !== "screens/public/not-found/route.tsx",
);

/** Replaces the parameters of a route or an endpoint with the id of a row of `side`. */
export async function addressOf(
  visits: RouteVisits,
  path: string,
  side: "/advertiser" | "/publisher",
): Promise<string> {
  const named = path
    .replace(":integration", "klaviyo")
    .replace(":kind", "campaign-created")
    .replace(":group", "webhooks")
    .replace(":plan", "starter");
  const id = path.startsWith("/api/uploads/")
    ? visits.upload
    : await visits.idFor(path.startsWith("/api") ? side + path : path);
  return named
    .replace(/\/index$/, "")
    .replace(/:id|\{id\}/, id)
    .replace(":upload", visits.upload)
    .replace("*", "nothing");
}

/**
 * What a request needs beside the rows of the visits. `nth` makes the rows that it creates differ from those of others.
 */
type Needed = { audienceId: string; productIds: readonly string[]; nth?: number };

/** Bodies for the most expensive writes, of a realistic size; each must succeed for one side. */
export async function expensiveBodies(
  visits: RouteVisits,
  { audienceId, productIds, nth = 0 }: Needed,
): Promise<Record<string, unknown>> {
  const name = nth === 0 ? "Swept" : `Swept ${nth}`;
  const campaign = { ...visits.world.complete(), name };
  const many = (count: number, make: (at: number) => unknown) => Array.from({ length: count }, (_, at) => make(at));
  const own = productIds.slice(nth * 200, nth * 200 + 200);
  const delivered = {
    campaign_id: await visits.idFor("/api/campaigns/"),
    audience_id: audienceId,
    channel: "dv360",
    date: visits.world.today(),
    impressions: 1_000,
    clicks: 10,
    conversions: 1,
    spend: 0.01,
    revenue: 0.02,
  };
  return {
    "POST /api/campaigns": campaign,
    "POST /api/retailer/campaigns": {
      ...campaign,
      advertiser_id: visits.world.accountId("northwind"),
      commission_rate: 50,
    },
    "POST /api/products/categorize": { products: own.slice(0, 100), category: "Swept" },
    "POST /api/products/delete": { products: own.slice(100) },
    "POST /api/audiences": { name, segment: "high-value", cpm: 5 },
    "POST /api/audiences/{id}/members": { add: many(5_000, (at) => ({ email: `swept${at}@example.com` })) },
    "POST /api/audiences/reach": { audiences: [audienceId] },
    "POST /api/erasures": { identifiers: many(1_000, (at) => `swept${at}@example.com`) },
    "POST /api/delivery-reports": { rows: many(1_000, (at) => ({ ...delivered, source: `${name} ${at}` })) },
  };
}

/** Bodies that the remaining endpoints accept; all others receive `{}`. */
export function smallBodies(nth = 0): Record<string, unknown> {
  const name = nth === 0 ? "Swept" : `Swept ${nth}`;
  return {
    "POST /api/campaigns/{id}/approve": { action: "approve" },
    "POST /api/products": { name, sku: `SWEPT-${nth + 1}`, category: "Tea", price: 12.5 },
    "PATCH /api/products/{id}": { name },
    "PATCH /api/campaigns/{id}": { name },
    "PATCH /api/audiences/{id}": { name },
    "POST /api/keys": { name },
  };
}
