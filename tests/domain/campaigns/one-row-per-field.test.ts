import { getTableColumns } from "drizzle-orm";
import { createElement, type ReactNode } from "react";
import { describe, expect, test } from "vitest";
import { advertiserFieldsJson, publisherFieldsJson } from "#app/api/json/campaign-fields-json.ts";
import { campaignSchema } from "#app/api/json/campaign-json.ts";
import { publisherCampaignSchema } from "#app/api/json/publisher-campaign-json.ts";
import {
  applyContentChanges,
  differingFields,
  emptyContent,
  emptyUnreviewed,
} from "#app/domain/campaigns/campaign-content.ts";
import {
  type CampaignContent,
  type CampaignFieldRow,
  campaignFieldRows,
  keysOf,
  mapContent,
} from "#app/domain/campaigns/campaign-fields.ts";
import { campaignChangesSchema, campaignStepSchemas } from "#app/domain/campaigns/campaign-payloads.ts";
import { toCampaignContent } from "#app/domain/campaigns/campaign-rows.server.ts";
import { ContentCard } from "#app/screens/advertiser/campaigns/detail/content-card.tsx";
import { ReviewStep } from "#app/screens/advertiser/campaigns/edit/review-step.tsx";
import { parseStepForm } from "#app/screens/advertiser/campaigns/wizard/parse-step.server.ts";
import { StepFields } from "#app/screens/advertiser/campaigns/wizard/step-fields.tsx";
import { type FormStep, stepOfField } from "#app/screens/advertiser/campaigns/wizard/steps.ts";
import { CampaignReviewDetails } from "#app/screens/publisher/campaigns/campaign-review-details.tsx";
import { fieldChanges } from "#app/screens/shared/activity/audit-copy.ts";
import { contentFieldLabel } from "#app/screens/shared/campaigns/campaign-content-copy.ts";
import { campaignFormValues } from "#app/screens/shared/campaigns/campaign-form-values.ts";
import { campaigns, campaignVersions } from "#db/schema/index.ts";
import { renderInRouter } from "#tests/support/render-in-router.ts";

const steps: FormStep[] = [1, 2, 3, 4, 5];
const own = campaignFieldRows.filter((row) => row.step !== null).map((row) => ({ ...row, field: row.name }));
const reviewed = own.filter((row) => row.reviewed);
const id = "01900000-0000-7000-8000-000000000001";

/** A value of each kind of field, other than its empty one. */
function sampleOf({ name, empty }: Pick<CampaignFieldRow, "name" | "empty">): unknown {
  const samples: Record<string, unknown> = {
    objective: "traffic",
    ad_format: "video",
    geolocations: ["de"],
    frequency_cap_impressions: 7,
    frequency_cap_period: "month",
    channel_type: "walled_garden",
    channels: ["meta"],
    budget: 123_456,
    daily_budget: 6_500,
    start_date: "2026-11-27",
    end_date: "2026-12-24",
    pacing: "asap",
  };
  return samples[name] ?? (Array.isArray(empty) ? [id] : `https://example.com/${name}`);
}

const content: CampaignContent = mapContent((row) => sampleOf(row));
const unreviewed = { name: "Hammock", pacing: "asap" } as const;
const audience = { id, name: "Gardeners", publisherName: "Harbor", segment: "s", estimatedSize: 1, size: 1_200 };
const product = { id, name: "Green hammock", sku: "G" };
const detail = { ...unreviewed, content, unsentFields: [], audiences: [audience], products: [product], creatives: [] };

const render = (element: ReactNode) => renderInRouter("/shop/campaigns", element);
/** A component whose properties a test has only in part. */
const partly = (component: unknown, props: object) => createElement(component as (props: object) => ReactNode, props);

describe.each(own)(
  "the field $field is in",
  ({ name, key, step, reviewed: inVersion, cleared, label, empty, ...row }) => {
    test("the payloads, of its own step only", () => {
      expect(Object.keys(campaignChangesSchema.shape)).toContain(name);
      expect(steps.filter((some) => name in campaignStepSchemas[some].shape)).toEqual([step]);
      expect(stepOfField(name)).toBe(step);
    });

    test("the tables", () => {
      expect(Object.keys(getTableColumns(campaigns))).toContain(key);
      // A version's audiences are rows of their own.
      expect(key in getTableColumns(campaignVersions)).toBe(inVersion && name !== "selected_audiences");
    });

    test("the stored values, and changes are compared", () => {
      expect(Reflect.get(inVersion ? emptyContent : emptyUnreviewed, key)).toEqual(empty);
      if (!inVersion) return;
      const stored = toCampaignContent({ ...emptyContent, [key]: sampleOf({ name, empty }) });
      expect(differingFields(emptyContent, stored)).toEqual([key]);
      const needed = { creative_ids: content.creativeIds, channel_type: content.channelType };
      const { content: changed } = applyContentChanges(emptyContent, { ...needed, [name]: sampleOf({ name, empty }) });
      expect(Reflect.get(changed, key)).toEqual(sampleOf({ name, empty }));
    });

    test("the form of its step: its input, its stored value, and what clears it", async () => {
      const values = campaignFormValues(detail);
      expect(values).toHaveProperty(name);
      const choices = {
        audiences: [{ ...audience, segment: "custom", publishedSize: null, cpmCents: null }],
        products: [product],
        more: false,
        hasCreative: true,
        creatives: [
          {
            id,
            name: "Banner",
            type: "image/png",
            path: "/x.png",
            previewPath: null,
            width: 1,
            height: 1,
            durationMs: null,
            bytes: 1,
          },
        ],
        moreCreatives: false,
        uploadHref: "/",
        ad: { adFormat: null, brand: "", headline: "", landingUrl: null },
        reach: { ids: [] },
        reachHref: "/",
        today: "2026-11-22",
      };
      expect(await render(partly(StepFields, { step, choices, values, errors: {} }))).toContain(`name="${name}"`);
      const { changes } = parseStepForm(new FormData(), step ?? 1);
      expect(Object.entries(changes).filter(([field]) => field === name)).toEqual(
        cleared === undefined ? [] : [[name, cleared]],
      );
    });

    test("the history, as text", () => {
      const change = { before: { [key]: empty }, after: { [key]: sampleOf({ name, empty }) } };
      const entry = { actorKind: "user", actorAccountId: null, actorName: "", entrypoint: "screen", ...change };
      const [line, ...others] = fieldChanges({ action: "campaign.changed", ...entry });
      expect(others).toEqual([]);
      expect(line?.label).toBe(row.historyLabel ?? label);
      expect(line?.was).not.toBe(line?.is);
      if (inVersion) expect(keysOf(emptyContent).map(contentFieldLabel)).toContain(label);
    });

    test("the responses to both parties", () => {
      expect(campaignSchema.shape).toHaveProperty(name);
      expect(advertiserFieldsJson({ ...unreviewed, ...content })).toHaveProperty(name);
      const published = row.publisherName ?? name;
      expect(published in publisherCampaignSchema.shape).toBe(name !== "selected_products");
      const sent = publisherFieldsJson({ ...unreviewed, ...content });
      expect(published in sent).toBe(name !== "selected_products" && name !== "selected_audiences");
    });
  },
);

/** Facts that two fields share, or that have words of their own on a card. */
const sharedFacts = {
  advertiser: {
    name: undefined,
    start_date: "Campaign period",
    end_date: "Campaign period",
    frequency_cap_period: "Frequency cap",
    channel_type: "Channels",
  },
  review: { frequency_cap_period: "Frequency cap" },
  publisher: {
    name: undefined,
    creative_ids: undefined,
    selected_audiences: "Audiences selected",
    selected_products: "Products",
    geolocations: "Geolocation",
    start_date: "Campaign period",
    end_date: "Campaign period",
    frequency_cap_period: "Frequency cap",
    channels: "Channel type",
  },
} satisfies Record<string, Record<string, string | undefined>>;

describe("each field is on", () => {
  const missing = (html: string, shared: Record<string, string | undefined>) =>
    own.filter(({ name, label }) => {
      const shown = name in shared ? shared[name] : label;
      return shown !== undefined && !html.includes(`<dt>${shown}</dt>`);
    });

  test("the advertiser's card", async () => {
    const props = { ...detail, campaign: { ...unreviewed, ...content }, brand: "Northwind" };
    expect(missing(await render(partly(ContentCard, props)), sharedFacts.advertiser)).toEqual([]);
  });

  test("the last step of the wizard", async () => {
    const props = { campaign: detail, ad: {}, stepTo: () => "/" };
    expect(missing(await render(partly(ReviewStep, props)), sharedFacts.review)).toEqual([]);
  });

  test("the publisher's card, with the previous and the new value", async () => {
    const { audienceIds: _, productIds: __, ...version } = content;
    const campaign = {
      ...unreviewed,
      ...version,
      audiences: [audience],
      approvedContent: emptyContent,
      changedFields: reviewed.map(({ key }) => key),
    };
    const html = await render(partly(CampaignReviewDetails, { campaign, audienceNames: {} }));
    expect(missing(html, sharedFacts.publisher)).toEqual([]);
    const unmarked = reviewed.filter(({ name, label }) => {
      const shown: string | undefined = Reflect.has(sharedFacts.publisher, name)
        ? Reflect.get(sharedFacts.publisher, name)
        : label;
      return shown !== undefined && !new RegExp(`<dt>${shown}</dt>((?!<dt>).)*<(?:del|ins)\\b`, "s").test(html);
    });
    expect(unmarked).toEqual([]);
  });
});

test("what is typed and missing is not set on a campaign's page, and not selected in the review", async () => {
  const empty = { ...detail, content: emptyContent, audiences: [], products: [], creatives: [] };
  const page = await render(
    partly(ContentCard, { ...empty, campaign: { ...emptyUnreviewed, ...emptyContent }, brand: "Northwind" }),
  );
  for (const label of ["Total budget", "Daily budget", "Campaign period", "Landing page"])
    expect(page).toContain(`<dt>${label}</dt><dd>Not set</dd>`);
  for (const label of ["Objective", "Channels"]) expect(page).toContain(`<dt>${label}</dt><dd>Not selected</dd>`);
  const review = await render(partly(ReviewStep, { campaign: empty, ad: {}, stepTo: () => "/" }));
  expect(review.match(/Not selected/g)).toHaveLength(11);
  expect(review).not.toContain("Not set");
  expect(fieldChanges({ ...changed, before: { dailyBudgetCents: null }, after: { dailyBudgetCents: 5_000 } })).toEqual([
    { label: "Daily budget", was: "Not set", is: "$50.00" },
  ]);
});

const changed = {
  action: "campaign.changed",
  actorKind: "user",
  actorAccountId: null,
  actorName: "",
  entrypoint: "api",
};

test("the history shows the pacing as text", () => {
  expect(fieldChanges({ ...changed, before: { pacing: "even" }, after: { pacing: "asap" } })).toEqual([
    { label: "Pacing", was: "Evenly", is: "As fast as possible" },
  ]);
});
