import { desc, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { archiveAudience, listAudienceBlockingCampaigns } from "#app/domain/audiences/archive-audience.server.ts";
import { audienceChangesSchema, audienceSchema } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { getAudience, getOfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { getAudienceMetrics, listAudienceCampaigns } from "#app/domain/audiences/list-audience-campaigns.server.ts";
import { listAudienceUploads, listAudienceVersions } from "#app/domain/audiences/list-audience-versions.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { countOwnAudiences, listOwnAudiences } from "#app/domain/audiences/list-own-audiences.server.ts";
import { restoreAudience } from "#app/domain/audiences/restore-audience.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { AudienceId, CampaignId } from "#app/domain/ids.ts";
import { auditEntries, users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { createEmptyAudience } from "./an-audience.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const input = (fields: object = {}) => audienceSchema.parse({ name: "Anglers", segment: "high-value", ...fields });
const changes = (fields: object) => audienceChangesSchema.parse(fields);
const linesOf = (id: AudienceId) =>
  db().select().from(auditEntries).where(eq(auditEntries.entityId, id)).orderBy(desc(auditEntries.id));

describe("creating", () => {
  test("requires a name and a segment; the other fields have their defaults", async () => {
    const { id } = await createAudience(world.harbor, input());
    expect(await getAudience(world.harbor, id)).toMatchObject({
      name: "Anglers",
      description: null,
      segment: "high-value",
      status: "building",
      size: 0,
      estimatedSize: null,
      cpmCents: 500,
      dataSource: "file",
      refreshFrequency: "weekly",
      defaultCountry: null,
      version: 0,
      refreshedAt: null,
    });
    expect((await linesOf(id)).map((line) => [line.action, line.accountId])).toEqual([
      ["audience.created", world.accountId("harbor")],
    ]);
  });

  test("parses entered values, and reports those it cannot parse", () => {
    expect(
      input({ name: " Anglers ", estimated_size: "25,000", cpm_rate: "7.5", default_country: "de", description: " " }),
    ).toMatchObject({
      name: "Anglers",
      estimated_size: 25_000,
      cpm_rate: 750,
      default_country: "DE",
      description: null,
    });
    const wrong = audienceSchema.safeParse({
      name: " ",
      segment: "everybody",
      estimated_size: "-1",
      cpm_rate: "1.005",
      data_source: "adobe",
      refresh_frequency: "hourly",
      default_country: "Atlantis",
    });
    expect(wrong.error?.issues.map((issue) => [issue.path[0], issue.message])).toEqual([
      ["name", "Enter an audience name"],
      ["segment", "Choose a segment"],
      ["estimated_size", "Enter a whole number, 0 or more"],
      ["cpm_rate", "Enter an amount with at most two decimals, such as 12.50"],
      ["data_source", "Choose a data source"],
      ["refresh_frequency", "Choose a refresh frequency"],
      ["default_country", "Choose a country from the list"],
    ]);
    for (const estimated_size of [1.5, 1e21, "1e3", "NaN"]) expect(() => input({ estimated_size })).toThrow();
    for (const cpm_rate of [-1, "100000.01"]) expect(() => input({ cpm_rate })).toThrow();
    expect(input({ cpm_rate: 0, estimated_size: 0 })).toMatchObject({ cpm_rate: 0, estimated_size: 0 });
  });

  test("with an integration as the source requires the enterprise plan", async () => {
    for (const plan of ["starter", "professional", undefined] as const) {
      await world.subscribe("fern", plan);
      for (const data_source of ["salesforce", "hubspot", "klaviyo", "segment"] as const) {
        await expectDomainError(
          createAudience(world.fern, input({ data_source })),
          "limit_reached",
          /^Direct integration requires an enterprise plan$/,
        );
      }
      const { id } = await createAudience(world.fern, input({ data_source: "api" }));
      await expectDomainError(
        updateAudience(world.fern, { id, changes: changes({ data_source: "hubspot" }) }),
        "limit_reached",
      );
    }
    await world.subscribe("fern", "enterprise");
    const { id } = await createAudience(world.fern, input({ data_source: "hubspot" }));
    await world.subscribe("fern", "starter");
    // A publisher that loses the plan keeps its chosen setting and may change the others.
    await updateAudience(world.fern, { id, changes: changes({ name: "Kept", data_source: "hubspot" }) });
    await world.subscribe("fern", "enterprise");
  });
});

describe("changing", () => {
  test("keeps absent fields, clears null ones, and records only what differs", async () => {
    const { id } = await createAudience(world.harbor, input({ description: "A", estimated_size: 5, cpm_rate: 9 }));
    await updateAudience(world.harbor, { id, changes: changes({ description: null, segment: "high-value" }) });
    expect(await getAudience(world.harbor, id)).toMatchObject({ description: null, estimatedSize: 5, cpmCents: 900 });
    await updateAudience(world.harbor, { id, changes: changes({ estimated_size: null, cpm_rate: null }) });
    expect(await getAudience(world.harbor, id)).toMatchObject({ estimatedSize: null, cpmCents: 500 });
    await updateAudience(world.harbor, { id, changes: changes({}) });
    await updateAudience(world.harbor, { id, changes: changes({ cpm_rate: 5 }) });
    expect((await linesOf(id)).map(({ action, before, after }) => [action, before, after])).toEqual([
      ["audience.changed", { estimated_size: 5, cpm_cents: 900 }, { estimated_size: null, cpm_cents: 500 }],
      ["audience.changed", { description: "A" }, { description: null }],
      ["audience.created", null, expect.objectContaining({ name: "Anglers", cpm_cents: 900 })],
    ]);
  });

  test("records by whom and when consent was stated, and keeps that while other settings change", async () => {
    const { id } = await createAudience(world.harbor, input());
    const statement = async () => {
      const { adUserDataConsent, adPersonalizationConsent, ...audience } = await getAudience(world.harbor, id);
      const { consentStatedAt, consentStatedBy, consentStatedByKey } = audience;
      return [adUserDataConsent, adPersonalizationConsent, consentStatedAt, consentStatedBy ?? consentStatedByKey];
    };
    expect(await statement()).toEqual(["unspecified", "unspecified", null, null]);
    world.setNow("2026-11-20T09:00:00Z");
    await updateAudience(world.harbor, { id, changes: changes({ ad_user_data_consent: "granted" }) });
    const [person] = await db()
      .select()
      .from(users)
      .where(eq(users.accountId, world.accountId("harbor")));
    const stated = ["granted", "unspecified", new Date("2026-11-20T09:00:00Z"), person?.name];
    expect(await statement()).toEqual(stated);
    world.setNow("2026-11-21T09:00:00Z");
    await updateAudience(world.harbor, { id, changes: changes({ name: "Other", ad_user_data_consent: "granted" }) });
    expect(await statement()).toEqual(stated);
    const { key } = await createApiKey(world.harbor, { name: "Warehouse" });
    const byKey = { ...world.harbor, actor: { ...world.harbor.actor, userId: undefined, apiKeyId: key.id } };
    await updateAudience(byKey, { id, changes: changes({ ad_personalization_consent: "denied" }) });
    expect(await statement()).toEqual(["granted", "denied", new Date("2026-11-21T09:00:00Z"), "Warehouse"]);
    await updateAudience(world.harbor, { id, changes: changes({ ad_personalization_consent: "unspecified" }) });
    expect((await statement())[3]).toBe(person?.name);
    expect((await linesOf(id)).slice(0, 2).map(({ action, before, after }) => [action, before, after])).toEqual([
      ["audience.changed", { ad_personalization_consent: "denied" }, { ad_personalization_consent: "unspecified" }],
      ["audience.changed", { ad_personalization_consent: "unspecified" }, { ad_personalization_consent: "denied" }],
    ]);
    const stating = await createAudience(world.harbor, input({ ad_user_data_consent: "granted" }));
    expect(await getAudience(world.harbor, stating.id)).toMatchObject({ consentStatedBy: person?.name });
    expect(() => changes({ ad_user_data_consent: "maybe" })).toThrow("Choose whether these people consented");
  });

  test("shows advertisers where an audience is used, never the statement", async () => {
    const id = world.audience("trailRunners");
    const offered = async () => {
      const audience = await getOfferedAudience(world.northwind, id);
      expect(JSON.stringify(audience)).not.toMatch(/granted|denied|unspecified|stated/i);
      return audience.consentUse;
    };
    expect(await offered()).toBe("outside_eea");
    await updateAudience(world.harbor, {
      id,
      changes: changes({ ad_user_data_consent: "granted", ad_personalization_consent: "granted" }),
    });
    expect(await offered()).toBe("everywhere");
    await updateAudience(world.harbor, { id, changes: changes({ ad_personalization_consent: "denied" }) });
    expect(await offered()).toBe("nowhere");
    await updateAudience(world.harbor, { id, changes: changes({ ad_personalization_consent: "granted" }) });
  });

  test("applies a new CPM to later approvals only", async () => {
    const campaign = await world.aRunningCampaign({ audiences: ["trailRunners"] });
    await updateAudience(world.harbor, { id: world.audience("trailRunners"), changes: changes({ cpm_rate: 20 }) });
    const [chosen] = (await getLineItem(world.harbor, campaign)).audiences;
    expect(chosen).toMatchObject({ id: world.audience("trailRunners"), cpmCents: 1_080 });
    expect((await getOfferedAudience(world.northwind, world.audience("trailRunners"))).cpmCents).toBe(2_000);
  });
});

describe("archiving", () => {
  async function ready(): Promise<AudienceId> {
    return createEmptyAudience(world.harbor, { name: "To archive", status: "ready", size: 1_000, cpmCents: 500 });
  }
  const selecting = (id: AudienceId) => ({ changes: { selected_audiences: [id] } });

  test("removes it from use: it is not offered, not changed, and listed only on request", async () => {
    const id = await ready();
    expect((await getOfferedAudience(world.northwind, id)).estimatedSize).toBe(1_000);
    await archiveAudience(world.harbor, { id });
    await archiveAudience(world.harbor, { id });
    expect(await getAudience(world.harbor, id)).toMatchObject({ status: "archived", archivedAt: world.clock() });
    await expectDomainError(getOfferedAudience(world.northwind, id), "not_found");
    await expectDomainError(
      updateAudience(world.harbor, { id, changes: changes({ name: "B" }) }),
      "invalid_transition",
    );
    const listed = async (status?: "archived" | "ready") =>
      (await listOwnAudiences(world.harbor, { status, q: "to archive" })).rows.map((row) => row.id);
    expect([await listed(), await listed("ready"), await listed("archived")]).toEqual([[], [], [id]]);
    expect((await listAudiences(world.harbor, { status: "archived" })).rows.map((row) => row.id)).toEqual([id]);
    expect((await listAudiences(world.northwind, { status: "archived" })).rows).toEqual([]);
    expect((await linesOf(id)).filter((line) => line.action === "audience.archived")).toHaveLength(1);
  });

  test("is undone by restoring it: it is offered again, with the status of its people, recorded once", async () => {
    const id = await ready();
    const small = await createEmptyAudience(world.harbor, { name: "Small", status: "below_minimum", size: 10 });
    const empty = await createEmptyAudience(world.harbor, { name: "Empty" });
    for (const each of [id, small, empty]) {
      const before = await getAudience(world.harbor, each);
      await archiveAudience(world.harbor, { id: each });
      await restoreAudience(world.harbor, { id: each });
      await restoreAudience(world.harbor, { id: each });
      expect(await getAudience(world.harbor, each)).toEqual(before);
      expect((await linesOf(each)).filter((line) => line.action === "audience.restored")).toHaveLength(1);
    }
    expect((await getOfferedAudience(world.northwind, id)).estimatedSize).toBe(1_000);
    await expectDomainError(restoreAudience(world.fern, { id }), "not_found");
  });

  test("is rejected while a campaign on it is pending, running or paused, and possible once that has ended", async () => {
    const id = await ready();
    const campaign = await world.aLaunchedCampaign(selecting(id));
    const refused = () =>
      expectDomainError(archiveAudience(world.harbor, { id }), "invalid_transition", /Ridgeline Packs/);
    await refused();
    await reviewCampaign(world.harbor, { id: campaign, action: "approve" });
    await refused();
    await pauseCampaign(world.northwind, { id: campaign });
    await refused();
    expect((await listAudienceBlockingCampaigns(world.harbor, id)).map((one) => one.id)).toEqual([campaign]);
    expect((await getAudience(world.harbor, id)).status).toBe("ready");
    world.advanceDays(20);
    await completeEndedCampaigns(world.job);
    expect(await listAudienceBlockingCampaigns(world.harbor, id)).toEqual([]);
    expect(await listAudienceCampaigns(world.harbor, id)).toMatchObject([{ id: campaign, status: "completed" }]);
    await archiveAudience(world.harbor, { id });
  });

  test("is not blocked by rejected campaigns", async () => {
    const id = await ready();
    const campaign = await world.aLaunchedCampaign(selecting(id));
    await reviewCampaign(world.harbor, { id: campaign, action: "reject" });
    expect(await listAudienceCampaigns(world.harbor, id)).toEqual([]);
    await archiveAudience(world.harbor, { id });
  });

  test("and an approval at once never lead to an approved campaign on an archived audience", async () => {
    const id = await ready();
    const campaign = await world.aLaunchedCampaign(selecting(id));
    const [archived, approved] = await Promise.allSettled([
      archiveAudience(world.harbor, { id }),
      reviewCampaign(world.harbor, { id: campaign, action: "approve" }),
    ]);
    expect([archived.status, approved.status]).toEqual(["rejected", "fulfilled"]);
  });
});

describe("metrics", () => {
  test("used in counts each campaign once; earned is the share of what the audience delivered", async () => {
    const id = world.audience("giftShoppers");
    const first = await world.aRunningCampaign({
      audiences: ["giftShoppers", "campers"],
      changes: { start_date: world.today() },
    });
    await world.aLaunchedCampaign({ audiences: ["giftShoppers"] });
    await deliver(first, id, 10_000_000);
    await deliver(first, world.audience("campers"), 3_000_000);
    expect(await getAudienceMetrics(world.harbor, id)).toEqual({ usedIn: 2, impressions: 1_000, earnedCents: 700 });
    expect(await getAudienceMetrics(world.fern, id)).toEqual({ usedIn: 0, impressions: 0, earnedCents: 0 });
    const [row] = (await listOwnAudiences(world.harbor, { q: "Gift" })).rows;
    expect(row).toMatchObject({ id, usedIn: 2, size: 212_440 });
    expect(await countOwnAudiences(world.harbor, { segment: "seasonal-shoppers" })).toBe(1);
  });

  async function deliver(campaign: CampaignId, audienceId: AudienceId, spendMicros: number) {
    await world.deliver(campaign, { audienceId, spendMicros });
  }
});

test("another publisher's audience does not exist", async () => {
  const id = world.audience("coffeeDrinkers");
  const unusedAudience = await createEmptyAudience(world.harbor);
  await expectDomainError(getAudience(world.harbor, id), "not_found", /^Audience not found$/);
  await expectDomainError(updateAudience(world.harbor, { id, changes: changes({ name: "Mine" }) }), "not_found");
  await expectDomainError(archiveAudience(world.harbor, { id }), "not_found");
  await expectDomainError(getAudience(world.fern, unusedAudience), "not_found");
  expect(await listAudienceCampaigns(world.harbor, id)).toEqual([]);
  expect([await listAudienceVersions(world.harbor, id), await listAudienceUploads(world.harbor, id)]).toEqual([[], []]);
  expect((await listOwnAudiences(world.harbor, { q: "coffee" })).rows).toEqual([]);
});

test("versions and uploads are listed newest first", async () => {
  const id = await createEmptyAudience(world.harbor);
  const add = (...emails: string[]) =>
    updateMembers(world.harbor, { audienceId: id, add: emails.map((email) => ({ email })), remove: [] });
  await add("a@example.com", "b@example.com");
  await add("b@example.com", "c@example.com");
  expect(await listAudienceVersions(world.harbor, id)).toMatchObject([
    { number: 2, source: "members", mode: null, peopleAdded: 1, size: 3 },
    { number: 1, source: "members", mode: null, peopleAdded: 2, size: 2 },
  ]);
  const first = await reserveUpload(world.harbor, { audienceId: id, mode: "add", key: undefined });
  const second = await reserveUpload(world.harbor, { audienceId: id, mode: "replace", key: undefined });
  expect((await listAudienceUploads(world.harbor, id)).map((upload) => upload.id)).toEqual([second.id, first.id]);
  expect(await listAudienceVersions(world.fern, id)).toEqual([]);
});
