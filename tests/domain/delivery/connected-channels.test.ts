import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import type { AudienceChanges } from "#app/domain/audiences/audience-payloads.ts";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { completeEndedCampaigns } from "#app/domain/campaigns/complete-campaigns.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { loadChannelAdapters } from "#app/domain/delivery/channels/adapters.server.ts";
import type { ChannelUpload } from "#app/domain/delivery/channels/audiences/channel-upload.ts";
import { syncDueAudiences } from "#app/domain/delivery/channels/audiences/sync-due-audiences.server.ts";
import { channelCredentialsSchema } from "#app/domain/delivery/channels/channel-credentials.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { connectChannel } from "#app/domain/delivery/channels/connect-channel.server.ts";
import { disconnectChannel } from "#app/domain/delivery/channels/disconnect-channel.server.ts";
import { listCampaignChannels } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { listChannels } from "#app/domain/delivery/channels/list-channels.server.ts";
import { audienceTag, campaignTag } from "#app/domain/delivery/channels/platform-tag.ts";
import { rescheduleByEligibility } from "#app/domain/delivery/channels/reschedule-by-eligibility.server.ts";
import { sendDueActivations } from "#app/domain/delivery/channels/send-due-activations.server.ts";
import { collectDueReports } from "#app/domain/delivery/collect-due-reports.server.ts";
import { type AudienceId, type CampaignId, type LineItemId, newId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import {
  channelActivations,
  channelAudiences,
  channelCollections,
  channelConnections,
  lineItems,
} from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import {
  type FakeAdPlatform,
  googleCredentials,
  metaGiven,
  startFakeGoogleAds,
  startMeta,
} from "#tests/support/fakes/fake-ad-platforms.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";
import { audienceRow, people, upload } from "../audiences/an-audience.ts";
import { audienceOfPeople } from "../audiences/audience-of-hashes.ts";

const db = useDatabase();
let world: World;
let remote: Record<"google" | "meta", FakeAdPlatform>;
beforeAll(async () => {
  world = await createWorld(db());
  remote = { google: await startFakeGoogleAds(), meta: await startMeta() };
});
afterAll(() => Promise.all([remote.google.stop(), remote.meta.stop()]));
beforeEach(() => useEnvironment());

function useEnvironment(more: Record<string, string> = {}) {
  const origins = {
    GOOGLE_ADS_URL: remote.google.origin,
    GOOGLE_DATA_MANAGER_URL: remote.google.origin,
    GOOGLE_TOKEN_URL: remote.google.origin,
    META_URL: remote.meta.origin,
  };
  const source = { SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1", ...origins, ...more };
  vi.spyOn(environment, "env").mockReturnValue(readEnv(source));
}

const operator = () => ({ ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" }) as const;
const given = { google: { channel: "google", ...googleCredentials }, meta: { channel: "meta", ...metaGiven } };
const connect = (channel: "google" | "meta", changed = {}) =>
  connectChannel(operator(), channelCredentialsSchema.parse({ ...given[channel], ...changed }));
const sendActivations = () => sendDueActivations(world.job);
const sync = () => syncDueAudiences(world.job);
const collect = () => collectDueReports(world.job, { isSimulated: true });
const hex = (text: string) => Buffer.from(sha256(text), "latin1").toString("hex");
const setTime = (instant: string) => world.setNow(`${instant}:00Z`);

/** Ends the campaigns of earlier tests, whose audiences would be uploaded too, in any order. */
async function begin(instant: string): Promise<void> {
  setTime(instant);
  await completeEndedCampaigns(world.job);
}

const createAudienceOf = (count: number) => audienceOfPeople(world.harbor, count);

async function aCampaign(
  audience: AudienceId | AudienceId[],
  channels: string[],
  changes: Record<string, unknown> = {},
): Promise<{ id: CampaignId; item: LineItemId }> {
  const runs = { start_date: world.today(), selected_audiences: [audience].flat(), ...changes };
  const id = await world.aRunningCampaign({ changes: { ...runs, channel_type: "walled_garden", channels } });
  const [item] = await db().select({ id: lineItems.id }).from(lineItems).where(eq(lineItems.campaignId, id));
  if (!item) throw new Error("no line item");
  return { id, item: item.id };
}

async function activationState(item: LineItemId, channel: string): Promise<string> {
  const [row] = await db().execute(sql`
    select confirmed_state as state, confirmed_version as version, last_error from channel_activations where line_item_id = ${item} and channel = ${channel}`);
  return Object.values(row ?? {})
    .map(String)
    .join(" ");
}

function createPending(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
}

const factsOf = async (id: CampaignId, source: string) =>
  [
    ...(await db().execute(sql`
      select day::text, channel, impressions::int, (spend_micros / 1e6)::float as spend, revision from deliveries
      where source = ${source} and line_item_id in (select id from line_items where campaign_id = ${id}) order by 1, 2`)),
  ].map((row) => Object.values(row).join(" "));

test("from the sandbox to Google: the audience is uploaded, the campaign runs, its days become facts, and all of it ends", async () => {
  setTime("2026-11-20T12:00");
  const audience = await createAudienceOf(1_200);
  const { id, item } = await aCampaign(audience, ["google", "tiktok"]);
  await collect();
  await sendActivations();
  expect(await activationState(item, "google")).toBe("active 1 null");

  await connect("google");
  await sendActivations();
  expect(await activationState(item, "google")).toBe("null null 0 of 1 audiences uploaded to Google Ads");
  for (const minute of ["12:01", "12:12", "12:23"]) {
    setTime(`2026-11-20T${minute}`);
    await sync();
  }
  const name = audienceTag(audience);
  expect(remote.google.audiences.get(name)?.size).toBe(1_200);
  expect(remote.google.audiences.get(name)?.has(`email ${hex("person7@example.com")}`)).toBe(true);
  await sendActivations();
  expect(await activationState(item, "google")).toMatch(/^null null No Google Ads campaign name contains endcap:/);

  const shell = { id: "customers/1234567890/campaigns/1", name: `Packs ${campaignTag(item, 1)}`, running: false };
  remote.google.campaigns.push(shell);
  setTime("2026-11-20T12:40");
  await sendActivations();
  expect([await activationState(item, "google"), shell.running]).toEqual(["active 1 null", true]);

  // A new version needs a new setup on the channel; until then the running version continues.
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await sendActivations();
  expect([await activationState(item, "google"), shell.running]).toEqual([
    expect.stringMatching(/^active 1 No Google Ads campaign name contains/),
    true,
  ]);
  shell.name = campaignTag(item, 2);
  setTime("2026-11-20T13:00");
  await sendActivations();
  expect(await activationState(item, "google")).toBe("active 2 null");

  const row = { campaign: shell.name, impressions: 900, clicks: 9, spend: "10.50" };
  remote.google.days.push(
    { ...row, day: "2026-11-20", group: audienceTag(audience) },
    { ...row, day: "2026-11-20", group: "the only audience" },
    { ...row, day: "2026-11-20", group: "x", campaign: `endcap:${audience}` },
    { ...row, day: "2026-11-20", group: audienceTag(world.audience("organicPantry")) },
    { ...row, day: "2026-11-21", group: "not over yet" },
  );
  setTime("2026-11-21T04:00");
  expect((await collect()) > 0).toBe(true);
  expect(await factsOf(id, "google-ads")).toEqual([]);
  setTime("2026-11-21T06:10");
  await collect();
  expect(await factsOf(id, "google-ads")).toEqual(["2026-11-20 google 1800 21 1"]);
  const made = await factsOf(id, "sandbox");
  expect(made.every((fact) => fact.includes("tiktok"))).toBe(true);
  const list = (await listChannels(operator())).find(({ channel }) => channel === "google");
  expect(list).toMatchObject({
    connection: { account: "1234567890", timeZone: "America/New_York", problem: null, connectedBy: "Jo" },
    reports: { accepted: 1, rejected: { unknown_line_item: 1, foreign_audience: 1 } },
    orders: { well: 1, failed: 0 },
    audiences: { well: 1, onTheWay: 0 },
  });

  // A second request returns nothing new; a restated day adds one revision.
  setTime("2026-11-21T12:00");
  expect(await collect()).toBe(0);
  for (const one of remote.google.days.slice(0, 1)) one.spend = "9.50";
  setTime("2026-11-22T12:00");
  await collect();
  expect(await factsOf(id, "google-ads")).toEqual(["2026-11-20 google 1800 20 2", "2026-11-21 google 900 10.5 1"]);

  remote.google.currency = "EUR";
  setTime("2026-11-22T18:00");
  expect(await collect()).toBe(0);
  expect(await factsOf(id, "google-ads")).toHaveLength(2);
  const [refused] = await db().select().from(channelCollections).where(eq(channelCollections.source, "google-ads"));
  expect(refused).toMatchObject({ accepted: 0, rejected: { other_currency: 5 } });
  remote.google.currency = "USD";

  await eraseIdentifiers(world.harbor, { identifiers: ["person7@example.com"] });
  for (const minute of ["18:01", "18:12", "18:23"]) {
    setTime(`2026-11-22T${minute}`);
    await sync();
  }
  expect(remote.google.audiences.get(name)?.has(`email ${hex("person7@example.com")}`)).toBe(false);
  expect(remote.google.audiences.get(name)?.size).toBe(1_199);

  await pauseCampaign(world.northwind, { id });
  await sendActivations();
  await sync();
  expect([shell.running, remote.google.audiences.has(name)]).toEqual([false, true]);
  await resumeCampaign(world.northwind, { id });
  await sendActivations();
  expect(shell.running).toBe(true);
  setTime("2026-12-05T00:30");
  await completeEndedCampaigns(world.job);
  await sendActivations();
  await sync();
  expect([shell.running, remote.google.audiences.has(name)]).toEqual([false, false]);
  await archiveAudience(world.harbor, { id: audience });
  expect(await db().$count(channelAudiences)).toBe(0);
  await disconnectChannel(operator(), { channel: "google", leaveRemote: false });
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("to Meta in batches: continued after a rate limit, throttled, emptied below the minimum, and deleted", async () => {
  setTime("2027-01-10T12:00");
  const audience = await createAudienceOf(10_400);
  const { item } = await aCampaign(audience, ["meta"]);
  await connect("meta");
  await sendActivations();
  const name = audienceTag(audience);
  const count = () => remote.meta.audiences.get(name)?.size;
  const batches = () => remote.meta.asked.filter((line) => /\/users/.test(line)).length;
  const wait = { "x-business-use-case-usage": JSON.stringify({ "1": [{ estimated_time_to_regain_access: 20 }] }) };
  const limit = { status: 400, headers: wait, body: JSON.stringify({ error: { code: 80_003 } }) };
  // Looked for, made, the first batch; then the limit.
  remote.meta.interrupt("serve", "serve", "serve", limit);
  await sync();
  expect([count(), batches()]).toEqual([10_000, 2]);
  const [row] = await db().select().from(channelAudiences);
  expect(row).toMatchObject({
    failures: 1,
    problem: "rate_limited",
    dueAt: new Date("2027-01-10T12:20:00Z"),
    leasedUntil: null,
  });
  expect((await db().select().from(channelConnections))[0]?.problem).toBe("rate_limited");
  setTime("2027-01-10T12:20");
  await sync();
  expect([count(), batches()]).toEqual([10_400, 3]);

  // Two processes at once, and a change within the hour: nothing is sent twice, and nothing before its time.
  await updateMembers(world.harbor, { audienceId: audience, add: [{ email: "new@example.com" }], remove: [] });
  setTime("2027-01-10T12:30");
  await Promise.all([sync(), sync()]);
  expect([count(), batches()]).toEqual([10_400, 3]);
  setTime("2027-01-10T13:21");
  await Promise.all([sync(), sync()]);
  expect([count(), batches()]).toEqual([10_401, 5]);

  const campaign = { id: "77", name: campaignTag(item, 1), running: false };
  remote.meta.campaigns.push(campaign);
  await sendActivations();
  expect(await activationState(item, "meta")).toBe("active 1 null");

  // The audience was deleted on the channel's side.
  const [{ reference } = { reference: "" }] = await db().select().from(channelAudiences);
  await (await loadChannelAdapters(world.job)).of("meta").audiences?.remove(reference ?? "");
  await updateMembers(world.harbor, { audienceId: audience, add: [], remove: [{ email: "new@example.com" }] });
  setTime("2027-01-10T14:30");
  await sync();
  setTime("2027-01-10T14:32");
  await sync();
  expect(count()).toBe(10_400);

  await upload(world.harbor, { audienceId: audience, mode: "replace", files: [people(500)] });
  await sync();
  expect(count()).toBeUndefined();
  await upload(world.harbor, { audienceId: audience, mode: "replace", files: [people(1_000)] });
  await sync();
  expect(count()).toBe(1_000);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect([count(), campaign.running]).toEqual([undefined, false]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("an upload that stopped between two batches keeps no hash of a person once people are erased, and begins anew", async () => {
  await begin("2027-01-20T12:00");
  const audience = await createAudienceOf(1_200);
  await aCampaign(audience, ["meta"]);
  await connect("meta");
  await sendActivations();
  await sync();
  const { generation, version } = await audienceRow(world.harbor, audience);
  const sent = {
    token: "1",
    first: false,
    version,
    generation,
    consent: null,
    sequence: 1,
    begunAt: "2027-01-20T12:00:00Z",
  };
  const unfinished: ChannelUpload = { ...sent, phase: "sending", after: hex("person7@example.com") };
  await db().update(channelAudiences).set({ upload: unfinished }).where(eq(channelAudiences.audienceId, audience));
  const uploadOf = async () =>
    (await db().select().from(channelAudiences).where(eq(channelAudiences.audienceId, audience)))[0]?.upload;
  await eraseIdentifiers(world.fern, { identifiers: ["person7@example.com"] });
  expect(await uploadOf()).toMatchObject({ phase: "sending" });
  await eraseIdentifiers(world.harbor, { identifiers: ["person7@example.com"] });
  expect(await uploadOf()).toMatchObject({ phase: "abandoned", after: null });
  setTime("2027-01-21T13:00");
  await sync();
  expect(remote.meta.audiences.get(audienceTag(audience))?.size).toBe(1_199);
  expect(await uploadOf()).toBeNull();
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
});

test("only working credentials are connected; credentials that cannot be decrypted fail, and nothing is simulated", async () => {
  await begin("2027-02-01T12:00");
  await expectDomainError(connect("google", { refresh_token: "another" }), "invalid_input");
  remote.meta.currency = "EUR";
  await expect(connect("meta")).rejects.toThrow(
    "Meta uses an account in another currency; connect a US dollar account",
  );
  remote.meta.currency = "USD";
  expect(await db().$count(channelConnections)).toBe(0);
  await expectDomainError(disconnectChannel(operator(), { channel: "meta", leaveRemote: true }), "not_found");
  await connect("meta");
  await db().update(channelConnections).set({ account: "1234567" });
  await expect(connect("meta")).rejects.toThrow("Account 1234567 is already connected. Disconnect meta first.");
  await db().update(channelConnections).set({ account: "1112223334" });
  await connect("meta");
  const [row] = await db().select().from(channelConnections);
  expect(row?.credential.includes("meta-secret")).toBe(false);
  const audience = await createAudienceOf(1_000);
  const { id, item } = await aCampaign(audience, ["meta"]);
  await collect();
  await sendActivations();
  await sync();
  useEnvironment({ SESSION_SECRET: "another-key-another-key-another-key" });
  setTime("2027-02-02T12:00");
  for (const request of [collect, sendActivations, sync]) await request();
  const problem = "Meta must be reconnected because its stored credentials can't be decrypted";
  expect(await activationState(item, "meta")).toBe(`null null ${problem}`);
  expect(await factsOf(id, "sandbox")).toEqual([]);
  const [listed] = (await listChannels(operator())).filter(({ channel }) => channel === "meta");
  expect(listed).toMatchObject({
    connection: { problem: "cannot_decrypt" },
    reports: { problem: "cannot_decrypt", failures: 1 },
    orders: { failed: 1, errors: [problem] },
  });
  await expectDomainError(disconnectChannel(operator(), { channel: "meta", leaveRemote: false }), "invalid_transition");
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: true });
  expect(await db().$count(channelAudiences, and(eq(channelAudiences.channel, "meta")))).toBe(0);
});

/** Syncs until an upload has ended: Google processes it between two of our checks. */
async function syncFrom(hour: string) {
  for (const minute of ["00", "11", "22", "33", "44"]) {
    setTime(`${hour}:${minute}`);
    await sync();
  }
}

test("Google gets an audience with the publisher's statement about consent, again when it changes, and not while consent is denied", async () => {
  await begin("2027-02-10T12:00");
  const audience = await createAudienceOf(1_000);
  const name = audienceTag(audience);
  const { item } = await aCampaign(audience, ["google", "meta"]);
  await connect("google");
  await connect("meta");
  await sendActivations();
  await syncFrom("2027-02-10T13");
  const there = () => [remote.google.consents.get(name), remote.google.audiences.get(name)?.size];
  expect(there()).toEqual([
    { adUserData: "CONSENT_STATUS_UNSPECIFIED", adPersonalization: "CONSENT_STATUS_UNSPECIFIED" },
    1_000,
  ]);
  const uploads = () => remote.google.asked.filter((line) => line.includes("audienceMembers:ingest")).length;
  const metaRequests = remote.meta.asked.length;
  const sent = uploads();

  const state = (changes: AudienceChanges) => updateAudience(world.harbor, { id: audience, changes });
  await state({ ad_user_data_consent: "granted", ad_personalization_consent: "granted" });
  await sync();
  // Like any other change, a given consent follows within an hour of the last upload.
  expect(uploads()).toBe(sent);
  await syncFrom("2027-02-10T15");
  expect(there()).toEqual([{ adUserData: "CONSENT_GRANTED", adPersonalization: "CONSENT_GRANTED" }, 1_000]);
  await syncFrom("2027-02-10T17");
  expect(uploads()).toBe(sent + 1);

  // A withdrawn consent follows at once.
  await state({ name: "Renamed" });
  setTime("2027-02-10T18:00");
  await updateMembers(world.harbor, { audienceId: audience, add: [{ email: "new@example.com" }], remove: [] });
  await syncFrom("2027-02-10T18");
  expect(there()).toEqual([{ adUserData: "CONSENT_GRANTED", adPersonalization: "CONSENT_GRANTED" }, 1_001]);
  await state({ ad_personalization_consent: "unspecified" });
  await sync();
  await syncFrom("2027-02-10T19");
  expect(there()).toEqual([{ adUserData: "CONSENT_GRANTED", adPersonalization: "CONSENT_STATUS_UNSPECIFIED" }, 1_001]);

  await state({ ad_user_data_consent: "denied" });
  await syncFrom("2027-02-10T20");
  remote.google.settle();
  // Emptied and not deleted: an ad group that targets it would otherwise be shown to anyone.
  expect(remote.google.audiences.get(name)?.size).toBe(0);
  expect(remote.meta.audiences.get(name)?.size).toBe(1_001);
  await sendActivations();
  expect(await activationState(item, "google")).toBe(
    "null null 0 of 1 audiences uploaded to Google Ads; consent is denied for 1",
  );
  await syncFrom("2027-02-11T20");
  expect(remote.google.audiences.get(name)?.size).toBe(0);
  const [list] = await db().select().from(channelAudiences).where(eq(channelAudiences.channel, "google"));

  await state({ ad_user_data_consent: "granted", ad_personalization_consent: "granted" });
  await syncFrom("2027-02-11T21");
  expect(there()).toEqual([{ adUserData: "CONSENT_GRANTED", adPersonalization: "CONSENT_GRANTED" }, 1_001]);
  const [again] = await db().select().from(channelAudiences).where(eq(channelAudiences.channel, "google"));
  expect(again?.reference).toBe(list?.reference);
  // Meta takes no consent: it got the new person, and nothing for the statements.
  expect(remote.meta.asked.slice(metaRequests).filter((line) => line.includes("/users")).length).toBe(1);
  for (const channel of ["google", "meta"] as const)
    await disconnectChannel(operator(), { channel, leaveRemote: false });
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("an upload in progress when consent changes is replaced by one with the present consent", async () => {
  await begin("2027-03-10T12:00");
  const audience = await createAudienceOf(10_400);
  const name = audienceTag(audience);
  await aCampaign(audience, ["google"]);
  await connect("google");
  await sendActivations();
  const state = (changes: AudienceChanges) => updateAudience(world.harbor, { id: audience, changes });
  await state({ ad_user_data_consent: "granted", ad_personalization_consent: "granted" });
  const before = remote.google.asked.length;
  // Signed in, looked for, created, begun, the first batch; then the limit.
  remote.google.interrupt(...Array<"serve">(5).fill("serve"), {
    status: 429,
    headers: { "retry-after": "600" },
    body: "{}",
  });
  await sync();
  const [begun] = await db().select().from(channelAudiences).where(eq(channelAudiences.audienceId, audience));
  const asked = remote.google.asked.slice(before).join("\n");
  expect(begun?.upload, asked).toMatchObject({ sequence: 1, phase: "sending", consent: { adUserData: "granted" } });
  await state({ ad_user_data_consent: "unspecified" });
  await syncFrom("2027-03-10T14");
  expect(remote.google.consents.get(name)).toEqual({
    adUserData: "CONSENT_STATUS_UNSPECIFIED",
    adPersonalization: "CONSENT_GRANTED",
  });
  expect(remote.google.audiences.get(name)?.size).toBe(10_400);
  await disconnectChannel(operator(), { channel: "google", leaveRemote: false });
});

test("the sandbox leaves out audiences whose consent is denied, and the advertiser sees that none or some are used", async () => {
  await begin("2027-04-10T12:00");
  // Collects from here on, whatever was collected before.
  await collect();
  const [denied, other] = [await createAudienceOf(1_000), await createAudienceOf(1_100)];
  const state = (status: "denied" | "granted") =>
    updateAudience(world.harbor, { id: denied, changes: { ad_user_data_consent: status } });
  await state("denied");
  const alone = await aCampaign([denied], ["google", "tiktok"]);
  const both = await aCampaign([denied, other], ["google"]);
  await sendActivations();
  expect(await activationState(alone.item, "google")).toBe("null null Consent is denied for all audiences");
  expect(await activationState(both.item, "google")).toBe("active 1 null");
  const shown = async ({ id }: { id: CampaignId }) =>
    (await listCampaignChannels(world.northwind, { id, isSimulated: true })).map(
      ({ channel, status, audiencesLeftOut }) => [channel, status, audiencesLeftOut],
    );
  const none = { denied: 0, all: false };
  expect(await shown(alone)).toEqual([
    ["google", "waiting", { denied: 1, all: true }],
    ["tiktok", "delivering", none],
  ]);
  expect(await shown(both)).toEqual([["google", "delivering", { denied: 1, all: false }]]);
  setTime("2027-04-11T06:00");
  await collect();
  const channelsOf = async (audienceId: AudienceId) =>
    (
      await db().execute(sql`
        select distinct channel from deliveries where audience_id = ${audienceId} and line_item_id in (${alone.item}, ${both.item}) order by 1`)
    ).map(({ channel }) => channel);
  expect(await channelsOf(denied)).toEqual(["tiktok"]);
  expect(await channelsOf(other)).toEqual(["google"]);

  // Given consent is taken up at once, although the next attempt was hours away.
  await state("granted");
  await sendActivations();
  expect(await activationState(alone.item, "google")).toBe("active 1 null");
  expect(await shown(both)).toEqual([["google", "delivering", none]]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("an audience that Meta flags is named to the operator, is not sent again meanwhile, and goes on when it is resolved", async () => {
  await begin("2027-05-10T12:00");
  const audience = await createAudienceOf(1_000);
  const { item } = await aCampaign(audience, ["meta"]);
  await connect("meta");
  const uploads = () => remote.meta.asked.filter((line) => line.includes("/users")).length;
  const before = uploads();
  remote.meta.isFlagged = true;
  await sendActivations();
  await sync();
  const message = /^Meta flagged audience \d+ and does not use it\. Resolve it in Meta's Audience Manager$/;
  const state = async () =>
    (await db().select().from(channelAudiences).where(eq(channelAudiences.audienceId, audience)))[0];
  expect(await state()).toMatchObject({ version: null, problem: "waiting", lastError: expect.stringMatching(message) });
  expect(await activationState(item, "meta")).toBe("null null 0 of 1 audiences uploaded to Meta");
  const [listed] = (await listChannels(operator())).filter(({ channel }) => channel === "meta");
  expect(listed?.audiences).toMatchObject({ failed: 1, errors: [expect.stringMatching(message)] });
  setTime("2027-05-10T16:00");
  await sync();
  expect(uploads()).toBe(before + 1);
  remote.meta.isFlagged = false;
  setTime("2027-05-11T04:00");
  await sync();
  expect(await state()).toMatchObject({ problem: null, failures: 0, lastError: null });
  expect(uploads()).toBe(before + 1);

  // Meta may also flag an audience later: that is seen within a day.
  remote.meta.isFlagged = true;
  setTime("2027-05-12T05:00");
  await sync();
  expect(await state()).toMatchObject({ problem: "waiting", lastError: expect.stringMatching(message) });
  // Until it is resolved Meta takes no changes of it either.
  await updateMembers(world.harbor, { audienceId: audience, add: [{ email: "new@example.com" }], remove: [] });
  setTime("2027-05-12T18:00");
  await sync();
  expect(await state()).toMatchObject({ problem: "waiting", lastError: expect.stringMatching(message) });
  remote.meta.isFlagged = false;
  setTime("2027-05-13T18:00");
  await sync();
  expect(await state()).toMatchObject({ problem: null, lastError: null, upload: null });
  expect(remote.meta.audiences.get(audienceTag(audience))?.size).toBe(1_001);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
});

test("an audience at Google whose consent is denied during an upload is emptied until nothing of the upload comes after", async () => {
  await begin("2027-06-10T12:00");
  const audience = await createAudienceOf(10_400);
  const name = audienceTag(audience);
  await aCampaign(audience, ["google"]);
  await connect("google");
  await sendActivations();
  const asked = remote.google.asked.length;
  const limit = { status: 429, headers: { "retry-after": "600" }, body: "{}" };
  // Signed in, looked for, created, begun, the first batch; then the limit.
  remote.google.interrupt(...Array<"serve">(5).fill("serve"), limit);
  await sync();
  await updateAudience(world.harbor, { id: audience, changes: { ad_user_data_consent: "denied" } });
  setTime("2027-06-10T12:30");
  await sync();
  const upload = async () =>
    (await db().select().from(channelAudiences).where(eq(channelAudiences.audienceId, audience)))[0]?.upload;
  expect(await upload()).toMatchObject({ phase: "abandoned" });
  for (const minute of ["41", "52"]) {
    setTime(`2027-06-10T12:${minute}`);
    await sync();
  }
  expect(await upload()).toBeNull();
  const removals = remote.google.asked.slice(asked).filter((line) => line.includes("removeAll")).length;
  expect(removals).toBeGreaterThan(1);
  remote.google.settle();
  expect(remote.google.audiences.get(name)?.size).toBe(0);
  await disconnectChannel(operator(), { channel: "google", leaveRemote: false });
});

test("the campaigns that a failed activation started are paused by a pause and by disconnecting", async () => {
  await begin("2027-07-10T12:00");
  const audience = await createAudienceOf(1_000);
  const { id, item } = await aCampaign(audience, ["meta"]);
  await connect("meta");
  await sendActivations();
  await sync();
  const campaigns = ["81", "82"].map((key) => ({ id: key, name: campaignTag(item, 1), running: false }));
  remote.meta.campaigns.push(...campaigns);
  const running = () => campaigns.map((campaign) => campaign.running);
  // Looked for, the first campaign started; the second is rejected.
  const rejectSecond = () =>
    remote.meta.interrupt("serve", "serve", { status: 400, body: JSON.stringify({ error: { code: 100 } }) });
  rejectSecond();
  await sendActivations();
  expect([await activationState(item, "meta"), running()]).toEqual([
    "null null Meta rejected the request",
    [true, false],
  ]);
  await pauseCampaign(world.northwind, { id });
  await sendActivations();
  expect([await activationState(item, "meta"), running()]).toEqual(["paused 1 null", [false, false]]);
  await resumeCampaign(world.northwind, { id });
  rejectSecond();
  await sendActivations();
  expect(running()).toEqual([true, false]);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect(running()).toEqual([false, false]);

  // Paused and resumed, so that no request has failed; the process dies before it stores that both were started.
  await connect("meta");
  await sendActivations();
  await sync();
  await pauseCampaign(world.northwind, { id });
  await sendActivations();
  await resumeCampaign(world.northwind, { id });
  const adapter = (await loadChannelAdapters(world.job)).of("meta");
  const activate: typeof adapter.activate = async (...args) => {
    await adapter.activate(...args);
    throw new Error("killed");
  };
  await expect(sendDueActivations(world.job, () => ({ ...adapter, activate }))).rejects.toThrow("killed");
  expect(running()).toEqual([true, true]);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect(running()).toEqual([false, false]);
  await begin("2027-08-10T12:00");
});

test("a campaign that its channel does not pause is listed to the operator: it may still run there", async () => {
  const audience = await createAudienceOf(1_000);
  const { id } = await aCampaign(audience, ["meta"]);
  await connect("meta");
  const adapter = {
    ...(await loadChannelAdapters(world.job)).of("meta"),
    activate: async () => ({ reference: "one" }),
  };
  const pauseAs = (pause: typeof adapter.pause) => sendDueActivations(world.job, () => ({ ...adapter, pause }));
  const listed = async () => (await listChannels(operator())).find(({ channel }) => channel === "meta")?.orders;
  const fails = async () => Promise.reject(new ChannelError("Meta is down", { problem: "unreachable" }));
  await pauseAs(fails);
  expect(await listed()).toEqual({ well: 1, onTheWay: 0, failed: 0, errors: [] });
  await pauseCampaign(world.northwind, { id });
  expect(await listed()).toEqual({ well: 0, onTheWay: 1, failed: 0, errors: [] });
  await pauseAs(fails);
  expect(await listed()).toEqual({ well: 0, onTheWay: 0, failed: 1, errors: ["Meta is down"] });
  setTime("2027-08-10T12:05");
  await pauseAs(async () => undefined);
  expect(await listed()).toEqual({ well: 0, onTheWay: 0, failed: 0, errors: [] });
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: true });
});

test("names and postal codes go to Google as its AddressInfo and to Meta as hashed keys", async () => {
  setTime("2026-11-20T12:00");
  const id = await createAudienceOf(1_000);
  const columns = { "First name": "given_name", "Last name": "family_name", Zip: "postal_code" } as const;
  await upload(world.harbor, {
    audienceId: id,
    mapping: { columns, phoneCountry: "US" },
    files: ["Email,First name,Last name,Zip\nj.doe@gmail.com,Jo,Doe,94105-1234"],
  });
  await aCampaign(id, ["google", "meta"]);
  await connect("google");
  await connect("meta");
  await sendActivations();
  for (const minute of ["12:01", "12:12", "12:23", "12:34"]) {
    setTime(`2026-11-20T${minute}`);
    await sync();
  }
  const [given, family] = [hex("jo"), hex("doe")];
  const sentTo = (channel: "google" | "meta") => [...(remote[channel].audiences.get(audienceTag(id))?.keys() ?? [])];
  const isJo = (member: string) => member.startsWith("address") || member.includes(hex("jdoe@gmail.com"));
  expect(sentTo("google").filter(isJo)).toEqual([
    `email ${hex("jdoe@gmail.com")}`,
    `address ${given} ${family} US 94105-1234`,
  ]);
  expect(sentTo("google")).toHaveLength(1_002);
  expect(sentTo("meta").filter(isJo)).toEqual([`address ${given} ${family} ${hex("94105")} ${hex("us")}`]);
  expect(sentTo("meta")).toContain(`email ${hex("j.doe@gmail.com")}`);
  expect(sentTo("meta")).toHaveLength(1_002);
});

test("a channel is neither waited for nor asked again once the process stops", async () => {
  setTime("2027-01-20T12:00");
  await connect("google");
  const stop = new AbortController();
  const adapters = await loadChannelAdapters({ ...world.job, stopping: stop.signal });
  const asked = remote.google.asked.length;
  const busy = { status: 503, headers: { "Retry-After": "9" } };
  remote.google.interrupt(busy);
  const paused = adapters
    .of("google")
    .pause(world.job, { lineItemId: newId<LineItemId>(), channel: "google", reference: "" });
  void vi.waitFor(() => expect(remote.google.asked.length).toBe(asked + 1)).then(() => stop.abort());
  await expect(paused).rejects.toMatchObject({ problem: "unreachable" });
  expect(remote.google.asked.length).toBe(asked + 1);
});

test("an upload that another process took over is not touched by its first process after a pause", async () => {
  setTime("2027-02-01T12:00");
  const audience = await createAudienceOf(1_200);
  await aCampaign(audience, ["meta"]);
  await connect("meta");
  // No audience of an earlier test is uploaded too.
  await db().delete(channelAudiences);
  await db().insert(channelAudiences).values({ audienceId: audience, channel: "meta", dueAt: world.clock() });
  const rowOf = async () =>
    (await db().select().from(channelAudiences).where(eq(channelAudiences.audienceId, audience)))[0];
  const batches = () => remote.meta.asked.filter((line) => /\/users/.test(line)).length;
  const before = batches();
  let goOn = () => {};
  // Looked for, made, the first batch.
  remote.meta.interrupt("serve", "serve", new Promise<void>((done) => (goOn = done)));
  const first = sync();
  await vi.waitFor(() => expect(batches()).toBe(before + 1));
  setTime("2027-02-01T12:04");
  await sync();
  const taken = await rowOf();
  expect(taken).toMatchObject({ version: 1, upload: null, failures: 0, leasedUntil: null });
  goOn();
  await first;
  expect(await rowOf()).toEqual(taken);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
});

test.each([
  ["google", "2029-03"],
  ["meta", "2029-04"],
] as const)(
  "a day of %s with more clicks than impressions is collected at its cost, and so are the days after it",
  async (channel, month) => {
    await db().delete(channelCollections);
    await begin(`${month}-10T12:00`);
    const audience = await createAudienceOf(1_000);
    const { id, item } = await aCampaign(audience, [channel]);
    await connect(channel);
    await collect();
    const row = { campaign: campaignTag(item, 1), group: audienceTag(audience) };
    remote[channel].days.push(
      { ...row, day: `${month}-10`, impressions: 0, clicks: 2, spend: "1.25" },
      { ...row, day: `${month}-11`, impressions: 3, clicks: 5, spend: "2.50" },
      { ...row, day: `${month}-12`, impressions: 100, clicks: 1, spend: "3.00" },
    );
    setTime(`${month}-13T12:00`);
    await collect();
    const days = await db().execute(sql`
      select day::text, impressions::int, clicks::int, (spend_micros / 1e6)::float as spend from deliveries
      where source = ${`${channel}-ads`} and line_item_id = ${item} order by 1`);
    expect([...days].map((day) => Object.values(day).join(" "))).toEqual([
      `${month}-10 0 0 1.25`,
      `${month}-11 3 3 2.5`,
      `${month}-12 100 1 3`,
    ]);
    await pauseCampaign(world.northwind, { id });
    await disconnectChannel(operator(), { channel, leaveRemote: true });
    expect(await findBrokenInvariants(db())).toEqual({});
  },
);

test("the fractions of a conversion that Google attributes to several ad groups are added before they are rounded", async () => {
  await db().delete(channelCollections);
  await begin("2029-05-10T12:00");
  const audience = await createAudienceOf(1_000);
  const { id, item } = await aCampaign(audience, ["google"]);
  await connect("google");
  await collect();
  const part = { day: "2029-05-10", campaign: campaignTag(item, 1), impressions: 100, clicks: 1, spend: "1.00" };
  for (const group of ["a", "b", "c", "d"])
    remote.google.days.push({ ...part, group: `${group} ${audienceTag(audience)}`, conversions: 0.4, revenue: 20 });
  setTime("2029-05-11T12:00");
  await collect();
  const [fact] = await db().execute(sql`
    select conversions::int, (revenue_micros / 1e6)::float as revenue from deliveries where source = 'google-ads' and line_item_id = ${item}`);
  expect(fact).toEqual({ conversions: 2, revenue: 80 });
  await pauseCampaign(world.northwind, { id });
  await disconnectChannel(operator(), { channel: "google", leaveRemote: true });
});

test("an audience at Google that does not change is uploaded again before Google removes its people", async () => {
  await begin("2029-06-10T12:00");
  const { id } = await aCampaign(await createAudienceOf(1_000), ["google"]);
  await connect("google");
  await sendActivations();
  const uploads = () => remote.google.asked.filter((line) => line.includes(":ingest")).length;
  const before = uploads();
  for (const instant of ["2029-06-10T12:01", "2029-06-10T12:12", "2029-06-10T12:23", "2030-11-01T12:00"]) {
    setTime(instant);
    await sync();
  }
  expect(uploads()).toBe(before + 1);
  setTime("2030-11-03T12:00");
  await sync();
  expect(uploads()).toBe(before + 2);
  await pauseCampaign(world.northwind, { id });
  await disconnectChannel(operator(), { channel: "google", leaveRemote: true });
});

test("a campaign runs on its channel from its first day to its last in the account's time zone, and not on a spent budget", async () => {
  await begin("2029-07-10T12:00");
  const audience = await createAudienceOf(1_000);
  const flight = { start_date: "2029-07-12", end_date: "2029-07-20", budget: 100, daily_budget: 100 };
  const { id, item } = await aCampaign(audience, ["meta"], flight);
  await connect("meta");
  await sendActivations();
  expect(await activationState(item, "meta")).toBe("paused 1 0 of 1 audiences uploaded to Meta");
  await sync();
  // Whoever set it up left it active.
  const campaign = { id: "91", name: campaignTag(item, 1), running: true };
  remote.meta.campaigns.push(campaign);
  const checkAt = async (instant: string) => {
    setTime(instant);
    await rescheduleByEligibility(world.job);
    await sendActivations();
    return [campaign.running, await activationState(item, "meta")];
  };
  expect(await checkAt("2029-07-10T13:00")).toEqual([false, "paused 1 null"]);
  const held = [{ status: "waiting", runningVersion: null, isHeld: true }];
  expect(await listCampaignChannels(world.northwind, { id, isSimulated: true })).toMatchObject(held);
  expect(await listCampaignChannels(world.northwind, { id, isSimulated: false })).toMatchObject([{ isManaged: false }]);
  const asked = remote.meta.asked.length;
  expect(await checkAt("2029-07-11T14:59")).toEqual([false, "paused 1 null"]);
  expect(remote.meta.asked.length).toBe(asked);
  // In Tokyo, the account's time zone, the twelfth begins.
  expect(await checkAt("2029-07-11T15:00")).toEqual([true, "active 1 null"]);
  expect(await listCampaignChannels(world.northwind, { id, isSimulated: true })).toMatchObject([
    { status: "delivering", isHeld: false },
  ]);

  setTime("2029-07-12T12:00");
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 200 }), send: true });
  await world.deliver(id, { audienceId: audience, channel: "meta", source: "meta-ads", spendMicros: 100_000_000 });
  expect(await world.statusOf(id)).toBe("active");
  expect(await checkAt("2029-07-12T12:05")).toEqual([false, "paused 1 null"]);
  await reviewCampaign(world.harbor, { id, action: "approve" });
  campaign.name = campaignTag(item, 2);
  expect(await checkAt("2029-07-12T12:10")).toEqual([true, "active 2 null"]);

  expect(await checkAt("2029-07-20T14:59")).toEqual([true, "active 2 null"]);
  expect(await checkAt("2029-07-20T15:00")).toEqual([false, "paused 2 null"]);
  expect(await listCampaignChannels(world.northwind, { id, isSimulated: true })).toMatchObject(held);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("an activation that failed is sent again when its flight begins and ends in the account's time zone", async () => {
  await begin("2029-07-28T12:00");
  const flight = { start_date: "2029-07-29", end_date: "2029-07-30" };
  const { id, item } = await aCampaign(await createAudienceOf(1_000), ["meta"], flight);
  await connect("meta");
  const reject = async () => Promise.reject(new ChannelError("Meta rejected the request"));
  const adapter = { ...(await loadChannelAdapters(world.job)).of("meta"), activate: reject, update: reject };
  const dueAfterFailure = async (instant: string, error?: ChannelError) => {
    setTime(instant);
    const state = { failures: 9, dueAt: world.clock() };
    await db().update(channelActivations).set(state).where(eq(channelActivations.lineItemId, item));
    const activate = error ? async () => Promise.reject(error) : reject;
    await sendDueActivations(world.job, () => ({ ...adapter, activate }));
    const [row] = await db().select().from(channelActivations).where(eq(channelActivations.lineItemId, item));
    return row?.dueAt?.toISOString().slice(0, 16);
  };
  // The account is in Tokyo. Ten failures wait six hours.
  expect(await dueAfterFailure("2029-07-28T14:00")).toBe("2029-07-28T15:00");
  expect(await dueAfterFailure("2029-07-29T12:00")).toBe("2029-07-29T18:00");
  expect(await dueAfterFailure("2029-07-30T12:00")).toBe("2029-07-30T15:00");
  const limit = new ChannelError("Not now", { problem: "rate_limited", retryAfterMs: 4 * 3_600_000 });
  expect(await dueAfterFailure("2029-07-30T12:00", limit)).toBe("2029-07-30T16:00");
  expect(await dueAfterFailure("2029-07-30T16:00")).toBe("2029-07-30T22:00");
  await pauseCampaign(world.northwind, { id });
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: true });
});

test("a line item is resumed on its channel with its other audiences when one has fallen below the minimum", async () => {
  await begin("2029-08-10T12:00");
  const [large, shrunk] = [await createAudienceOf(1_200), await createAudienceOf(1_000)];
  const { id, item } = await aCampaign([large, shrunk], ["meta"]);
  await connect("meta");
  const campaign = { id: "92", name: campaignTag(item, 1), running: false };
  remote.meta.campaigns.push(campaign);
  await sendActivations();
  await sync();
  await sendActivations();
  expect([campaign.running, await activationState(item, "meta")]).toEqual([true, "active 1 null"]);
  const shrink = async (audience: AudienceId) => {
    await upload(world.harbor, { audienceId: audience, mode: "replace", files: [people(500)] });
    setTime(`${world.today()}T18:00`);
    await sync();
    await pauseCampaign(world.northwind, { id });
    await sendActivations();
    await resumeCampaign(world.northwind, { id });
    await sendActivations();
    return [campaign.running, await activationState(item, "meta")];
  };
  expect(await shrink(shrunk)).toEqual([true, "active 1 null"]);
  expect(await shrink(large)).toEqual([
    false,
    "paused 1 0 of 2 audiences uploaded to Meta; 2 with fewer than 1,000 people",
  ]);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
});

test("an audience that a new version leaves out stays on the channel while the campaign of the version before runs there", async () => {
  await begin("2029-09-10T12:00");
  const [kept, dropped] = [await createAudienceOf(1_000), await createAudienceOf(1_100)];
  const { id, item } = await aCampaign([kept, dropped], ["meta"]);
  await connect("meta");
  const campaign = { id: "93", name: campaignTag(item, 1), running: false };
  remote.meta.campaigns.push(campaign);
  await sendActivations();
  await sync();
  await sendActivations();
  expect(campaign.running).toBe(true);
  await updateCampaign(world.northwind, { id, changes: campaignChanges({ selected_audiences: [kept] }), send: true });
  await reviewCampaign(world.harbor, { id, action: "approve" });
  const checkAt = async (instant: string) => {
    setTime(instant);
    await sync();
    await sendActivations();
    return [campaign.running, remote.meta.audiences.has(audienceTag(dropped))];
  };
  expect(await checkAt("2029-09-12T12:00")).toEqual([true, true]);
  campaign.name = campaignTag(item, 2);
  expect(await checkAt("2029-09-13T13:00")).toEqual([true, true]);
  expect(await checkAt("2029-09-14T14:00")).toEqual([true, false]);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("an ad group of Google that delivered nothing is neither a fact nor a skipped row, and restates one that it had", async () => {
  await db().delete(channelCollections);
  await begin("2029-10-10T12:00");
  const audience = await createAudienceOf(1_000);
  const { id, item } = await aCampaign(audience, ["google"]);
  await connect("google");
  await collect();
  const nothing = { impressions: 0, clicks: 0, spend: "0" };
  const campaign = campaignTag(item, 1);
  const invalid = { day: "2029-10-10", campaign, group: "clicks by a robot", impressions: 9, clicks: 9, spend: "4.50" };
  remote.google.days.push(
    invalid,
    { ...nothing, day: "2029-10-11", campaign, group: "paused" },
    { ...nothing, day: "2029-10-11", campaign: campaignTag(newId<LineItemId>(), 1), group: "of another installation" },
    { ...nothing, day: "2029-10-09", campaign, group: "before its flight" },
  );
  setTime("2029-10-12T06:00");
  await collect();
  expect(await factsOf(id, "google-ads")).toEqual(["2029-10-10 google 9 4.5 1"]);
  Object.assign(invalid, nothing);
  setTime("2029-10-12T12:00");
  await collect();
  expect(await factsOf(id, "google-ads")).toEqual(["2029-10-10 google 0 0 2"]);
  const [collection] = await db().select().from(channelCollections).where(eq(channelCollections.source, "google-ads"));
  expect([collection?.accepted, collection?.rejected]).toEqual([1, {}]);
  await pauseCampaign(world.northwind, { id });
  await disconnectChannel(operator(), { channel: "google", leaveRemote: true });
});

test("reports for which a platform takes a quarter of an hour are collected", async () => {
  await db().delete(channelCollections);
  await begin("2029-11-10T12:00");
  const audience = await createAudienceOf(1_000);
  const { id, item } = await aCampaign(audience, ["meta"]);
  await connect("meta");
  await collect();
  const row = { day: "2029-11-10", campaign: campaignTag(item, 1), group: audienceTag(audience) };
  remote.meta.days.push({ ...row, impressions: 100, clicks: 1, spend: "3.00" });
  setTime("2029-11-11T12:00");
  const asked = remote.meta.asked.length;
  let respond = () => {};
  remote.meta.interrupt(new Promise<void>((done) => (respond = done)));
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const collecting = collect();
  await vi.waitFor(() => expect(remote.meta.asked.length).toBe(asked + 1));
  vi.advanceTimersByTime(15 * 60_000);
  vi.useRealTimers();
  respond();
  expect(await collecting).toBeGreaterThan(0);
  expect(await factsOf(id, "meta-ads")).toEqual(["2029-11-10 meta 100 3 1"]);
  await pauseCampaign(world.northwind, { id });
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: true });
});

test("a removal that fails among the campaigns leaves the channel connected, and they run on", async () => {
  await begin("2029-12-10T12:00");
  const [audience, other] = [await createAudienceOf(1_000), await createAudienceOf(1_100)];
  const items = [await aCampaign(audience, ["meta"]), await aCampaign(other, ["meta"])];
  await connect("meta");
  const campaigns = items.map(({ item }, index) => ({
    id: `10${index}`,
    name: campaignTag(item, 1),
    running: false,
  }));
  remote.meta.campaigns.push(...campaigns);
  await sendActivations();
  await sync();
  await sendActivations();
  const running = () => campaigns.map((campaign) => campaign.running);
  expect(running()).toEqual([true, true]);
  // Another process is uploading the audiences, and has postponed them by a day.
  const uploading = { leasedUntil: new Date("2029-12-10T12:03Z"), dueAt: new Date("2029-12-11T12:00Z") };
  await db().update(channelAudiences).set(uploading);
  // The first campaign is looked for and paused, the second one is not found.
  remote.meta.interrupt("serve", "serve", { status: 400, body: JSON.stringify({ error: { code: 200 } }) });
  await expect(disconnectChannel(operator(), { channel: "meta", leaveRemote: false })).rejects.toThrow(
    "Meta denied access: the credentials lack a permission. The channel stays connected, and its campaigns run on. Use --leave",
  );
  expect(running().sort()).toEqual([false, true]);
  await sendActivations();
  expect(running()).toEqual([true, true]);
  for (const { item } of items) expect(await activationState(item, "meta")).toBe("active 1 null");
  const due = { leasedUntil: null, dueAt: new Date("2029-12-10T12:00Z") };
  expect(await db().select().from(channelAudiences)).toMatchObject([due, due]);

  // While everything is removed nobody else sends anything there.
  setTime("2029-12-10T15:00");
  await updateMembers(world.harbor, { audienceId: audience, add: [{ email: "new@example.com" }], remove: [] });
  const asked = remote.meta.asked.length;
  const responses = [createPending(), createPending()];
  remote.meta.interrupt(...responses.flatMap(({ promise }) => [promise, "serve" as const]));
  const removal = disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  for (const [index, instant] of ["2029-12-10T15:20", "2029-12-10T15:40"].entries()) {
    await vi.waitFor(() => expect(remote.meta.asked.length).toBe(asked + 1 + 2 * index));
    setTime(instant);
    await sync();
    await sendActivations();
    expect(remote.meta.asked.length).toBe(asked + 1 + 2 * index);
    responses[index]?.resolve();
  }
  await removal;
  expect([running(), remote.meta.audiences.has(audienceTag(audience))]).toEqual([[false, false], false]);
});

test("the eligibility of every running campaign is checked, however many pages they take", async () => {
  await begin("2030-01-10T12:00");
  const audience = await createAudienceOf(1_000);
  const flight = { start_date: "2030-01-12", end_date: "2030-01-20" };
  const items = [await aCampaign(audience, ["meta"], flight), await aCampaign(audience, ["meta"], flight)];
  await connect("meta");
  const campaigns = items.map(({ item }, index) => ({ id: `11${index}`, name: campaignTag(item, 1), running: false }));
  remote.meta.campaigns.push(...campaigns);
  await sendActivations();
  await sync();
  await sendActivations();
  setTime("2030-01-12T01:00");
  expect(await rescheduleByEligibility(world.job, { pageSize: 1 })).toBe(2);
  await sendActivations();
  expect(campaigns.map((campaign) => campaign.running)).toEqual([true, true]);
  expect(await rescheduleByEligibility(world.job, { pageSize: 1 })).toBe(0);
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
});

test("a line item that is resumed while its channel is removed does not stay running there", async () => {
  await begin("2030-02-10T12:00");
  const audience = await createAudienceOf(1_000);
  const flight = { end_date: "2030-02-20" };
  const running = await aCampaign(audience, ["meta"], flight);
  const paused = await aCampaign(audience, ["meta"], flight);
  await connect("meta");
  const campaigns = [running, paused].map(({ item }, index) => ({
    id: `20${index}`,
    name: campaignTag(item, 1),
    running: false,
  }));
  remote.meta.campaigns.push(...campaigns);
  await sendActivations();
  await sync();
  await sendActivations();
  await pauseCampaign(world.northwind, { id: paused.id });
  await sendActivations();
  const isRunning = () => campaigns.map((campaign) => campaign.running);
  expect(isRunning()).toEqual([true, false]);
  const asked = remote.meta.asked.length;
  const { promise, resolve } = createPending();
  remote.meta.interrupt(promise);
  const removal = disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  await vi.waitFor(() => expect(remote.meta.asked.length).toBe(asked + 1));
  await resumeCampaign(world.northwind, { id: paused.id });
  await sendActivations();
  expect(isRunning()).toEqual([true, true]);
  resolve();
  await removal;
  expect([isRunning(), remote.meta.audiences.has(audienceTag(audience))]).toEqual([[false, false], false]);
});

test("a removal that fails after it deleted an audience keeps the campaigns paused until it is finished", async () => {
  await begin("2032-06-20T12:00");
  const audiences = [await createAudienceOf(1_000), await createAudienceOf(1_100)];
  const campaigns: { id: string; name: string; running: boolean }[] = [];
  for (const [index, audience] of audiences.entries()) {
    const { item } = await aCampaign(audience, ["meta"]);
    campaigns.push({ id: `31${index}`, name: campaignTag(item, 1), running: false });
  }
  await connect("meta");
  remote.meta.campaigns.push(...campaigns);
  await sendActivations();
  await sync();
  await sendActivations();
  const running = () => campaigns.map((campaign) => campaign.running);
  const stored = () => audiences.filter((audience) => remote.meta.audiences.has(audienceTag(audience))).length;
  expect([running(), stored()]).toEqual([[true, true], 2]);
  // Both campaigns are looked for and paused, one audience is deleted, and the other one is not.
  const denied = { status: 400, body: JSON.stringify({ error: { code: 200 } }) };
  remote.meta.interrupt("serve", "serve", "serve", "serve", "serve", denied);
  await expect(disconnectChannel(operator(), { channel: "meta", leaveRemote: false })).rejects.toThrow(
    "The channel stays connected, and its campaigns stay paused, because audiences that they target are deleted there.",
  );
  expect([running(), stored()]).toEqual([[false, false], 1]);
  const [listed] = (await listChannels(operator())).filter(({ channel }) => channel === "meta");
  expect(listed).toMatchObject({ orders: { errors: [expect.stringMatching(/disconnect meta again$/)] } });
  // The jobs of days leave them so, also after a pause and a resumption.
  for (const time of ["2032-06-20T12:40", "2032-06-21T12:00"]) {
    setTime(time);
    for (const advertiserPausedAt of [world.clock(), null]) await db().update(lineItems).set({ advertiserPausedAt });
    await rescheduleByEligibility(world.job);
    await sendActivations();
    await sync();
    await sendActivations();
    expect(running()).toEqual([false, false]);
  }
  await disconnectChannel(operator(), { channel: "meta", leaveRemote: false });
  expect([running(), stored()]).toEqual([[false, false], 0]);
});
