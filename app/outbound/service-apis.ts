type ServiceApi = {
  label: string;
  /** As requests name it; null where the service has only one. */
  version: string | null;
  /** The first day on which the service no longer supports the version; null where it has published none. */
  endsOn: string | null;
};

/**
 * The APIs of other services that this version of the product is written for. The ends are those that the services
 * publish: shopify.dev (a version lives twelve months), developers.klaviyo.com (a revision lives two years),
 * developers.hubspot.com (a version lives at least 18 months). Google Ads ends a version about a year after its release
 * and announces the day; Meta and Salesforce announce theirs too.
 */
export const serviceApis = {
  google: { label: "Google Ads", version: "v26", endsOn: null },
  googleDataManager: { label: "Google Data Manager", version: "v1", endsOn: null },
  meta: { label: "Meta", version: "v25.0", endsOn: null },
  salesforce: { label: "Salesforce", version: "v61.0", endsOn: null },
  hubspot: { label: "HubSpot", version: "2026-09", endsOn: "2028-03-01" },
  klaviyo: { label: "Klaviyo", version: "2026-07-15", endsOn: "2028-07-15" },
  shopify: { label: "Shopify", version: "2026-10", endsOn: "2027-10-01" },
  woocommerce: { label: "WooCommerce", version: "v3", endsOn: null },
} as const satisfies Record<Service, ServiceApi>;

export const services = [
  "google",
  "googleDataManager",
  "meta",
  "salesforce",
  "hubspot",
  "klaviyo",
  "shopify",
  "woocommerce",
] as const;
export type Service = (typeof services)[number];

const warningDays = 60;

/** Describes the end of a service's API from 60 days before it on; undefined before. */
export function describeApiEnd(service: Service, now: Date): string | undefined {
  const { label, version, endsOn } = serviceApis[service];
  if (endsOn === null || Date.parse(endsOn) - now.getTime() > warningDays * 86_400_000) return undefined;
  const hasEnded = Date.parse(endsOn) <= now.getTime();
  return `${label} ${hasEnded ? "ended" : "ends"} the version of its API that is used here (${version}) on ${endsOn}. Upgrade Endcap${hasEnded ? "" : " before then"}.`;
}
