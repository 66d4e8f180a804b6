import type { AudienceStatus, dataSources, Segment } from "#app/domain/audiences/audience.ts";
import type { ConsentStatus } from "#app/domain/audiences/consent/audience-consent.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import type { Database } from "#db/client.server.ts";
import { audiences } from "#db/schema/index.ts";
import { type DemoPublisher, demoAccountId, demoUserId } from "./demo-accounts.ts";
import { demoId } from "./demo-id.ts";

type DemoAudience = {
  number: number;
  publisher: DemoPublisher;
  name: string;
  description: string;
  segment: Segment;
  size: number;
  /** The CPM in US cents. */
  cpmCents: number;
  source?: (typeof dataSources)[number];
  status?: AudienceStatus;
  /** Both statements about consent; none was made where it is absent. */
  consent?: ConsentStatus;
};

const demoAudiences = {
  hikers: {
    number: 1,
    publisher: "harbor",
    name: "Weekend hikers",
    description: "Bought footwear, packs or maps for day hikes in the last 12 months.",
    segment: "category-enthusiasts",
    size: 84_312,
    cpmCents: 750,
    source: "klaviyo",
    consent: "granted",
  },
  homeAndGarden: {
    number: 2,
    publisher: "harbor",
    name: "High-value home and garden",
    description: "Top 10% of customers by spend on home, patio and garden.",
    segment: "high-value",
    size: 46_208,
    cpmCents: 1_200,
    source: "salesforce",
  },
  campers: {
    number: 3,
    publisher: "harbor",
    name: "Camping gear repeat buyers",
    description: "Three or more orders of camping gear in 24 months.",
    segment: "frequent-buyers",
    size: 31_857,
    cpmCents: 925,
    source: "klaviyo",
  },
  giftShoppers: {
    number: 4,
    publisher: "harbor",
    name: "Gift shoppers",
    description: "Ordered with gift wrap or to a second address last season.",
    segment: "seasonal-shoppers",
    size: 212_440,
    cpmCents: 550,
    source: "api",
  },
  newCustomers: {
    number: 5,
    publisher: "harbor",
    name: "New customers, last 60 days",
    description: "First order within the last 60 days, all categories.",
    segment: "new-customers",
    size: 18_926,
    cpmCents: 680,
    source: "api",
  },
  trailRunners: {
    number: 6,
    publisher: "harbor",
    name: "Trail runners club",
    description: "Members of the Harbor trail running club.",
    segment: "category-enthusiasts",
    size: 5_264,
    cpmCents: 1_080,
  },
  kayakPilot: {
    number: 7,
    publisher: "harbor",
    name: "Kayak owners (pilot)",
    description: "Registered a kayak or a paddle board with us.",
    segment: "category-enthusiasts",
    size: 642,
    cpmCents: 800,
    status: "below_minimum",
  },
  coffeeDrinkers: {
    number: 8,
    publisher: "fern",
    name: "Specialty coffee drinkers",
    description: "Whole bean or filter coffee in at least four baskets a quarter.",
    segment: "category-enthusiasts",
    size: 63_718,
    cpmCents: 840,
    source: "segment",
  },
  organicPantry: {
    number: 9,
    publisher: "fern",
    name: "Organic pantry loyalists",
    description: "Weekly baskets with a majority of organic products.",
    segment: "frequent-buyers",
    size: 97_153,
    cpmCents: 710,
    source: "segment",
  },
  lapsedBox: {
    number: 10,
    publisher: "fern",
    name: "Lapsed box subscribers",
    description: "Canceled the weekly box three to nine months ago.",
    segment: "lapsed-customers",
    size: 27_480,
    cpmCents: 460,
    source: "hubspot",
  },
  grilling: {
    number: 11,
    publisher: "fern",
    name: "Outdoor cooking and grilling",
    description: "Charcoal, marinades or grilling cuts last season.",
    segment: "seasonal-shoppers",
    size: 148_906,
    cpmCents: 520,
  },
  kitchenware: {
    number: 12,
    publisher: "fern",
    name: "Premium kitchenware buyers",
    description: "Spent $250 or more on cookware and small appliances in a year.",
    segment: "high-value",
    size: 12_347,
    cpmCents: 1_150,
    source: "hubspot",
  },
} as const satisfies Record<string, DemoAudience>;

export type DemoAudienceKey = keyof typeof demoAudiences;

export function demoAudienceId(key: DemoAudienceKey): AudienceId {
  return demoId<AudienceId>("audience", demoAudiences[key].number);
}

export const allDemoAudienceIds = Object.values(demoAudiences).map(({ number }) =>
  demoId<AudienceId>("audience", number),
);

/** Inserts the audiences as rows: uploaded 150 days before `now` and refreshed this week. */
export async function insertDemoAudiences(db: Database, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  await db.insert(audiences).values(
    Object.values(demoAudiences).map((audience: DemoAudience) => ({
      id: demoId<AudienceId>("audience", audience.number),
      publisherId: demoAccountId(audience.publisher),
      name: audience.name,
      description: audience.description,
      segment: audience.segment,
      estimatedSize: Math.round(audience.size / 1_000) * 1_000,
      size: audience.size,
      cpmCents: audience.cpmCents,
      dataSource: audience.source ?? ("file" as const),
      refreshFrequency: audience.source ? ("daily" as const) : ("weekly" as const),
      status: audience.status ?? ("ready" as const),
      createdAt: daysAgo(150 - audience.number),
      refreshedAt: daysAgo(audience.source ? 1 : 5),
      ...(audience.consent && {
        adUserDataConsent: audience.consent,
        adPersonalizationConsent: audience.consent,
        consentStatedAt: daysAgo(40),
        consentStatedBy: demoUserId(audience.publisher),
      }),
    })),
  );
}
