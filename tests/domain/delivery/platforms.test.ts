import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { AudienceConsent } from "#app/domain/audiences/consent/audience-consent.ts";
import type { DestinationMember } from "#app/domain/audiences/destination-member.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import { channelCredentialsSchema } from "#app/domain/delivery/channels/channel-credentials.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { googlePlatform } from "#app/domain/delivery/channels/google/google-platform.server.ts";
import { metaPlatform } from "#app/domain/delivery/channels/meta/meta-platform.server.ts";
import type { Platform, PlatformRow } from "#app/domain/delivery/channels/platform.ts";
import { audienceTag, campaignTag, parseCampaignTag } from "#app/domain/delivery/channels/platform-tag.ts";
import { type AudienceId, type LineItemId, newId } from "#app/domain/ids.ts";
import * as environment from "#app/env.server.ts";
import { readEnv } from "#app/env.server.ts";
import {
  type FakeAdPlatform,
  googleCredentials,
  metaGiven,
  startFakeGoogleAds,
  startMeta,
} from "#tests/support/fakes/fake-ad-platforms.ts";

const day = "2026-11-19" as CalendarDate;
const [lineItemId, audienceId] = [newId<LineItemId>(), newId<AudienceId>()];
let waits: number[];
beforeEach(() => {
  waits = [];
  const source = { SESSION_SECRET: "s".repeat(32), ALLOW_PRIVATE_OUTBOUND: "1" };
  vi.spyOn(environment, "env").mockReturnValue(readEnv(source));
});

type MembersByReference = Record<string, string>;
const retryPolicy = { sleep: async (milliseconds: number) => void waits.push(milliseconds) };

const kinds: Record<
  string,
  () => Promise<{ remote: FakeAdPlatform; open: (changed?: MembersByReference) => Platform }>
> = {
  google: async () => {
    const remote = await startFakeGoogleAds();
    return {
      remote,
      open: (changed) => {
        const given = channelCredentialsSchema.parse({ channel: "google", ...googleCredentials, ...changed });
        if (given.channel !== "google") throw new Error("another channel");
        return googlePlatform(given, {
          origins: { ads: remote.origin, dataManager: remote.origin, token: remote.origin },
          retryPolicy,
        });
      },
    };
  },
  meta: async () => {
    const remote = await startMeta();
    return {
      remote,
      open: (changed) => {
        const given = channelCredentialsSchema.parse({ channel: "meta", ...metaGiven, ...changed });
        if (given.channel !== "meta") throw new Error("another channel");
        return metaPlatform(given, { origin: remote.origin, retryPolicy, pause: async () => undefined });
      },
    };
  },
};

async function startPlatform(kind: string) {
  const made = await kinds[kind]?.();
  if (!made) throw new Error("no such platform");
  onTestFinished(() => made.remote.stop());
  return { ...made, platform: made.open() };
}

async function dayOf(platform: Platform): Promise<PlatformRow[]> {
  const rows: PlatformRow[] = [];
  for await (const page of platform.readDay(day)) rows.push(...page);
  return rows;
}

async function problemOf(operation: Promise<unknown>): Promise<string> {
  const error = await operation.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ChannelError)) throw new Error(`no channel's error: ${error}`);
  expect(error.message).not.toMatch(/secret|words of theirs/);
  return error.problem;
}

/** Uploads batch by batch, and waits until the upload is complete. */
async function upload(
  { audiences }: Platform,
  members: string[][],
  first = false,
  { reference, consent = null }: { reference?: string; consent?: AudienceConsent | null } = {},
) {
  const audienceReference = reference ?? (await audiences.create({ audienceId })).reference;
  let token = await begin(audiences, { reference: audienceReference, first, consent });
  for (const [index, batch] of members.entries()) {
    const request = {
      reference: audienceReference,
      token,
      first,
      sequence: index + 1,
      last: index === members.length - 1,
      total: 9,
    };
    token = await audiences.send({ ...request, members: batch.map((hash) => ({ hash, type: typeOf(hash) })) });
  }
  await finish(audiences, { reference: audienceReference, token });
  return audienceReference;
}

async function begin(
  audiences: Platform["audiences"],
  upload: { reference: string; first: boolean; consent?: AudienceConsent | null; abandoned?: string },
): Promise<string> {
  const token = await audiences.begin({ consent: null, abandoned: null, ...upload });
  if (token === undefined) throw new Error("the channel still processes an earlier upload");
  return token;
}

async function finish(audiences: Platform["audiences"], { reference, token }: { reference: string; token: string }) {
  let progress = await audiences.finish({ reference, token });
  for (let looks = 0; progress.state !== "done"; looks += 1) {
    if (looks > 9) throw new Error("never");
    progress = await audiences.finish({ reference, token: progress.token });
  }
}

const typeOf = (hash: string) => (hash.startsWith("e") ? "email" : hash.startsWith("b") ? "phone" : "unknown");
const hashed = (name: string) => name.padEnd(64, "0");
const [one, two, phone, either] = [hashed("e1"), hashed("e2"), hashed("b1"), hashed("a1")];

describe.each(Object.keys(kinds))("%s", (kind) => {
  test("finds the campaigns of a line item by their names, resumes and pauses them", async () => {
    const { remote, platform } = await startPlatform(kind);
    const other = newId<LineItemId>();
    const id = (number: number) => (kind === "google" ? `customers/1234567890/campaigns/${number}` : String(number));
    for (const [index, name] of [
      `Spring ${campaignTag(lineItemId, 1)}`,
      campaignTag(lineItemId, 12),
      campaignTag(lineItemId),
      campaignTag(other, 1),
      `Old ${campaignTag(lineItemId, 1)}`,
    ].entries())
      remote.campaigns.push({ id: id(index), name, running: index === 0, removed: index === 4 });
    const found = await platform.findCampaigns(lineItemId);
    expect(found).toEqual([
      { id: id(0), version: 1, running: true },
      { id: id(1), version: 12, running: false },
      { id: id(2), version: null, running: false },
    ]);
    await platform.setRunning(id(0), false);
    await platform.setRunning(id(1), true);
    expect(remote.campaigns.map(({ running }) => running)).toEqual([false, true, false, false, false]);
  });

  test("uploads an audience: created once, filled, replaced as a whole, and deleted", async () => {
    const { remote, platform } = await startPlatform(kind);
    const audienceReference = await upload(platform, [[one, phone], [either]], true);
    const name = audienceTag(audienceId);
    const remoteMembers = () => [...(remote.audiences.get(name)?.keys() ?? [])].sort();
    expect(remoteMembers()).toEqual([`email ${one}`, `phone ${phone}`, `email ${either}`, `phone ${either}`].sort());
    expect(await platform.audiences.create({ audienceId })).toEqual({ reference: audienceReference, isNew: false });
    await upload(platform, [[two], [phone]], false, { reference: audienceReference });
    expect(remoteMembers()).toEqual([`phone ${phone}`, `email ${two}`].sort());
    await platform.audiences.remove(audienceReference);
    await platform.audiences.remove(audienceReference);
    expect(remote.audiences.size).toBe(0);
    expect(await problemOf(upload(platform, [[one]], false, { reference: audienceReference }))).toBe("not_found");
  });

  test("an unfinished upload removes nobody, and the next one removes what it sent", async () => {
    const { remote, platform } = await startPlatform(kind);
    const { audiences } = platform;
    const reference = await upload(platform, [[one]], true);
    const remoteMembers = () => [...(remote.audiences.get(audienceTag(audienceId))?.keys() ?? [])].sort();
    const started = await begin(audiences, { reference, first: false });
    const batch = { reference, first: false, sequence: 1, last: false, total: 2 };
    const token = await audiences.send({ ...batch, token: started, members: [{ hash: two, type: "email" }] });
    expect(remoteMembers()).toEqual([`email ${one}`]);
    if (kind === "google") {
      // Google accepted the batch and has not processed it: people in it must not outlive the next upload.
      expect(await audiences.begin({ reference, first: false, consent: null, abandoned: token })).toBeUndefined();
    }
    const next = await begin(audiences, { reference, first: false, abandoned: token });
    const sent = await audiences.send({ ...batch, token: next, last: true, members: [{ hash: phone, type: "phone" }] });
    await finish(audiences, { reference, token: sent });
    expect(remoteMembers()).toEqual([`phone ${phone}`]);
  });

  test("reads a day, all pages of it, in micros", async () => {
    const { remote, platform } = await startPlatform(kind);
    const campaign = campaignTag(lineItemId, 1);
    for (let group = 0; group < 7; group += 1)
      remote.days.push({
        day,
        campaign,
        group: `g${group}`,
        impressions: 1_000,
        clicks: 10,
        reach: 400,
        spend: "12.34",
      });
    remote.days.push({
      day,
      campaign,
      group: "sold",
      impressions: 5,
      clicks: 0,
      spend: "0",
      conversions: 2,
      revenue: 45.5,
    });
    remote.days.push({ day, campaign: "Somebody else's", group: "g", impressions: 9, clicks: 9, spend: "99" });
    remote.days.push({ day: "2026-11-18", campaign, group: "g", impressions: 9, clicks: 9, spend: "99" });
    const rows = await dayOf(platform);
    expect(rows).toHaveLength(8);
    const names = { campaignName: campaign, currency: "USD" };
    expect(rows[6]).toEqual({
      ...names,
      groupName: "g6",
      impressions: 1_000,
      clicks: 10,
      conversions: 0,
      spendMicros: 12_340_000,
      revenueMicros: 0,
      reach: kind === "meta" ? 400 : null,
    });
    expect(rows[7]).toEqual({
      ...names,
      groupName: "sold",
      impressions: 5,
      clicks: 0,
      conversions: 2,
      spendMicros: 0,
      revenueMicros: 45_500_000,
      reach: null,
    });
  });

  test("continues after a broken connection, a server error and a rate limit, and fails when asked to wait for long", async () => {
    const { remote, platform } = await startPlatform(kind);
    remote.days.push({ day, campaign: campaignTag(lineItemId, 1), group: "g", impressions: 1, clicks: 0, spend: "1" });
    await platform.getAccount();
    remote.interrupt({ status: 500, cut: true }, { status: 503 }, limited(kind, 3), "serve");
    expect(await dayOf(platform)).toHaveLength(1);
    expect(waits.at(-1)).toBe(3_000);
    remote.interrupt(limited(kind, 600));
    const error = await dayOf(platform).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ problem: "rate_limited", retryAfterMs: 600_000 });
    expect(waits).toHaveLength(3);
  });

  test("reports what is wrong with credentials and responses, without their content", async () => {
    const { remote, platform, open } = await startPlatform(kind);
    const wrong: MembersByReference = kind === "google" ? { refresh_token: "secret" } : { access_token: "secret" };
    expect(await problemOf(open(wrong).getAccount())).toBe("invalid_credentials");
    const missingPermission =
      kind === "google" ? { status: 403 } : { status: 400, body: JSON.stringify({ error: { code: 200 } }) };
    await platform.getAccount();
    remote.interrupt(missingPermission);
    expect(await problemOf(platform.getAccount())).toBe("missing_scope");
    remote.interrupt({ status: 200, body: `{"secret":` });
    expect(await problemOf(platform.getAccount())).toBe("unexpected_response");
    remote.interrupt({ status: 400, body: "<html>secret</html>" });
    expect(await problemOf(platform.getAccount())).toBe("rejected");
    expect(remote.asked.join(" ")).not.toMatch(/meta-secret|app-secret|refresh-secret/);
  });
});

/** So many seconds. */
function limited(kind: string, seconds: number) {
  if (kind === "google") {
    const details = { quotaErrorDetails: { retryDelay: `${seconds}s` } };
    const errors = [{ errorCode: { quotaError: "RESOURCE_EXHAUSTED" }, details }];
    // As the report's method sends it, which streams.
    return { status: 429, body: JSON.stringify([{ error: { status: "RESOURCE_EXHAUSTED", details: [{ errors }] } }]) };
  }
  const body = JSON.stringify({ error: { code: seconds > 60 ? 80_004 : 17 } });
  const minutes = JSON.stringify({
    "1112223334": [{ type: "ads_insights", estimated_time_to_regain_access: seconds / 60 }],
  });
  const headers: Record<string, string> =
    seconds > 60
      ? { "x-business-use-case-usage": minutes }
      : { "x-ad-account-usage": JSON.stringify({ acc_id_util_pct: 100, reset_time_duration: seconds }) };
  return { status: 400, headers, body };
}

const consentValues = { granted: "CONSENT_GRANTED", unspecified: "CONSENT_STATUS_UNSPECIFIED" };

test.each([
  ["granted", "granted"],
  ["granted", "unspecified"],
  ["unspecified", "unspecified"],
] as const)("google: an upload states the consent of its people: %s, %s", async (adUserData, adPersonalization) => {
  const { remote, platform } = await startPlatform("google");
  await upload(platform, [[one]], true, { consent: { adUserData, adPersonalization } });
  expect(remote.consents.get(audienceTag(audienceId))).toEqual({
    adUserData: consentValues[adUserData],
    adPersonalization: consentValues[adPersonalization],
  });
});

test("google: people whose consent is denied are left out, and that is no failure", async () => {
  const { remote, platform } = await startPlatform("google");
  const consent = { adUserData: "granted", adPersonalization: "denied" } as const;
  await upload(platform, [[one]], true, { consent });
  expect(remote.audiences.get(audienceTag(audienceId))?.size).toBe(0);
});

test("google: members that are rejected for another reason fail the upload, and so does a token of another version", async () => {
  const { remote, platform } = await startPlatform("google");
  const { audiences } = platform;
  const reference = await upload(platform, [[one]], true);
  const token = await begin(audiences, { reference, first: false });
  const batch = { reference, token, first: false, sequence: 1, last: true, total: 1 };
  const sent = await audiences.send({ ...batch, members: [{ hash: two, type: "email" }] });
  for (const reason of ["PROCESSING_ERROR_REASON_INTERNAL_ERROR", "PROCESSING_ERROR_REASON_DENIED_CONSENT"]) {
    const errorInfo = { errorCounts: [{ reason, recordCount: "1" }] };
    const body = JSON.stringify({
      requestStatusPerDestination: [{ requestStatus: "PARTIAL_SUCCESS", errorInfo }, { requestStatus: "SUCCESS" }],
    });
    remote.interrupt({ status: 200, body });
    if (reason.endsWith("CONSENT")) await finish(audiences, { reference, token: sent });
    else {
      expect(await problemOf(audiences.finish({ reference, token: sent }))).toBe("rejected");
      // The next upload does not wait for what was rejected.
      remote.interrupt({ status: 200, body });
      expect(await audiences.begin({ reference, first: false, consent: null, abandoned: sent })).toBeDefined();
    }
  }
  const forgotten = sent.replace(/request-\d+/, "request-9999");
  expect(await audiences.begin({ reference, first: false, consent: null, abandoned: forgotten })).toBeDefined();
  const job = "customers/1234567890/offlineUserDataJobs/7";
  expect(await problemOf(audiences.finish({ reference, token: job }))).toBe("rejected");
  expect(await audiences.begin({ reference, first: false, consent: null, abandoned: job })).toBeDefined();
});

test("google: a batch with a postal code that Google takes for invalid is sent without addresses", async () => {
  const { remote, platform } = await startPlatform("google");
  const { audiences } = platform;
  const { reference } = await audiences.create({ audienceId });
  const names = { givenName: "g".repeat(32), familyName: "f".repeat(32) };
  const address = (postalCode: string) => ({ ...names, country: "DE", postalCode });
  const batches: DestinationMember[][] = [
    [
      { hash: one, type: "email", address: address("10115") },
      { hash: two, type: "email", address: address("123") },
      { hash: either, type: "address", address: address("10117") },
    ],
    [{ hash: either, type: "address", address: address("123") }],
    [{ hash: phone, type: "phone", address: address("10119") }],
  ];
  let token = await begin(audiences, { reference, first: true });
  for (const [index, members] of batches.entries()) {
    const batch = { reference, first: true, sequence: index + 1, last: index === 2, total: 5 };
    token = await audiences.send({ ...batch, token, members });
  }
  await finish(audiences, { reference, token });
  const hex = (letter: string) => Buffer.from(letter.repeat(32), "latin1").toString("hex");
  expect([...(remote.audiences.get(audienceTag(audienceId))?.keys() ?? [])]).toEqual([
    `email ${one}`,
    `email ${two}`,
    `phone ${phone}`,
    `address ${hex("g")} ${hex("f")} DE 10119`,
  ]);
});

test("google: an upload goes by Google's clock, and a list that Customer Match created is filled further", async () => {
  const { remote, platform } = await startPlatform("google");
  const reference = await upload(platform, [[one]], true);
  const id = reference.split("/").at(-1);
  const earlier = `customers/1234567890/userLists/${id}`;
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2031-01-01") });
  onTestFinished(() => void vi.useRealTimers());
  await upload(platform, [[two]], false, { reference: earlier });
  expect([...(remote.audiences.get(audienceTag(audienceId))?.keys() ?? [])]).toEqual([`email ${two}`]);
});

test("google: credentials without permission for audiences are refused when they are tried", async () => {
  const { remote, platform } = await startPlatform("google");
  const details = [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }];
  const body = JSON.stringify({ error: { code: 403, status: "PERMISSION_DENIED", details } });
  remote.interrupt("serve", { status: 403, body });
  await expect(platform.getAccount()).rejects.toThrow(
    "Google Data Manager denied access: the credentials lack a permission",
  );
});

test("google: an expired token is replaced once, a developer token is optional", async () => {
  const { remote, platform, open } = await startPlatform("google");
  await platform.getAccount();
  remote.expireTokens();
  expect((await platform.getAccount()).currency).toBe("USD");
  expect(remote.asked.filter((line) => line.includes("/token"))).toHaveLength(2);
  expect((await open({ developer_token: "dev-secret" }).getAccount()).currency).toBe("USD");
  expect(await problemOf(open({ login_customer_id: "5555555555" }).getAccount())).toBe("missing_scope");
});

test("google: the days of a Performance Max campaign, which has no ad groups, are reported", async () => {
  const { remote, platform } = await startPlatform("google");
  const [plain, whole] = [campaignTag(lineItemId, 1), campaignTag(newId<LineItemId>(), 1)];
  remote.campaigns.push({ id: "c", name: whole, running: true, hasNoGroups: true });
  const row = { day, impressions: 10, clicks: 1, spend: "1.5" };
  remote.days.push({ ...row, campaign: plain, group: "g" }, { ...row, campaign: whole, group: "none" });
  expect(await dayOf(platform)).toMatchObject([
    { campaignName: plain, groupName: "g", spendMicros: 1_500_000 },
    { campaignName: whole, groupName: "", spendMicros: 1_500_000 },
  ]);
});

test("google: a report that breaks off after a part is no report", async () => {
  const { remote, platform } = await startPlatform("google");
  await platform.getAccount();
  const body = JSON.stringify([{ results: [] }, { error: { code: 503, status: "UNAVAILABLE" } }]);
  remote.interrupt({ status: 200, body });
  expect(await problemOf(dayOf(platform))).toBe("unreachable");
});

test("google: credentials that were rejected are not sent again, and a sign-in that failed for a moment is repeated", async () => {
  const { remote, platform, open } = await startPlatform("google");
  const signIns = () => remote.asked.filter((line) => line.includes("/token")).length;
  const rejected = open({ refresh_token: "secret" });
  expect(await problemOf(rejected.getAccount())).toBe("invalid_credentials");
  expect(await problemOf(rejected.getAccount())).toBe("invalid_credentials");
  expect(signIns()).toBe(1);
  remote.interrupt(...Array.from({ length: 5 }, () => ({ status: 503 })));
  expect(await problemOf(platform.getAccount())).toBe("unreachable");
  expect((await platform.getAccount()).currency).toBe("USD");
});

test("meta: a revoked token is rejected", async () => {
  const { remote, platform } = await startPlatform("meta");
  await platform.getAccount();
  remote.expireTokens();
  expect(await problemOf(platform.getAccount())).toBe("invalid_credentials");
});

test("meta: a report that is too large at once is polled", async () => {
  const { remote, platform } = await startPlatform("meta");
  const campaign = campaignTag(lineItemId, 1);
  for (let group = 0; group < 5; group += 1)
    remote.days.push({ day, campaign, group: `g${group}`, impressions: 10, clicks: 1, spend: "1.5" });
  remote.isBusy = true;
  expect(await dayOf(platform)).toHaveLength(5);
  expect(remote.asked.filter((line) => line.startsWith("POST"))).toHaveLength(1);
});

test.each([
  ["at once", false],
  ["by a job", true],
])("meta: the days of a deleted campaign are reported %s", async (_, isBusy) => {
  const { remote, platform } = await startPlatform("meta");
  const campaign = campaignTag(lineItemId, 1);
  remote.campaigns.push({ id: "7", name: campaign, running: false, removed: true });
  remote.days.push({ day, campaign, group: "g", impressions: 10, clicks: 1, spend: "1.5" });
  remote.isBusy = isBusy;
  expect(await dayOf(platform)).toMatchObject([{ campaignName: campaign, spendMicros: 1_500_000 }]);
});

test("meta: a report whose error says only in words that it is too large is polled too", async () => {
  const { remote, platform } = await startPlatform("meta");
  remote.days.push({ day, campaign: campaignTag(lineItemId, 1), group: "g", impressions: 10, clicks: 1, spend: "1.5" });
  const message = "Please reduce the amount of data you're asking for, then retry your request";
  const failure = { status: 500, body: JSON.stringify({ error: { code: 1, message } }) };
  remote.interrupt(...Array.from({ length: 5 }, () => failure));
  expect(await dayOf(platform)).toHaveLength(1);
});

test("meta: a value with many decimals, as sums of floating-point numbers have, counts", async () => {
  const { remote, platform } = await startPlatform("meta");
  const sold = { impressions: 10, clicks: 1, spend: "1.5", conversions: 2, revenue: 0.1 + 0.2 };
  remote.days.push({ day, campaign: campaignTag(lineItemId, 1), group: "g", ...sold });
  expect(await dayOf(platform)).toMatchObject([{ conversions: 2, revenueMicros: 300_000 }]);
});

test("a tag is read from any campaign name, and nothing else is", () => {
  expect(parseCampaignTag(`Spring | ${campaignTag(lineItemId, 3).toUpperCase()} | video`)).toEqual({
    lineItemId,
    version: 3,
  });
  expect(parseCampaignTag(campaignTag(lineItemId))).toEqual({ lineItemId, version: null });
  expect(parseCampaignTag("endcap:nothing")).toBeUndefined();
});
