import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import {
  type Activation,
  activationStatus,
  backoffMs,
  nextActivationStep,
} from "#app/domain/delivery/channels/activation.ts";
import type { ChannelAdapter } from "#app/domain/delivery/channels/channel-adapter.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { listCampaignChannels } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { sendDueActivations } from "#app/domain/delivery/channels/send-due-activations.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let calls: string[];
beforeEach(async () => {
  world ??= await createWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  await db().execute(
    sql`update channel_activations set due_at = null, confirmed_state = desired_state, confirmed_version = desired_version, reference = 'x', problem = null, leased_until = null`,
  );
  calls = [];
});

/** A channel that records its requests and behaves as a test configures. */
function createChannelAdapter(onCall: (verb: string) => unknown = () => undefined): () => ChannelAdapter {
  const recordCall = async (call: string) => {
    calls.push(call);
    await onCall(call);
  };
  const adapter: ChannelAdapter = {
    source: "heard",
    everyHours: 1,
    activate: async (_, { channel, version, name, audienceIds }) => {
      await recordCall(`activate ${channel} ${version} ${name} ${audienceIds.length}`);
      return { reference: `${channel}-1` };
    },
    update: async (_, { channel, version, reference }) => {
      await recordCall(`change ${channel} ${version} ${reference}`);
      return { reference };
    },
    pause: async (_, { channel, reference }) => recordCall(`pause ${channel} ${reference}`),
    fetchReport: async function* () {},
  };
  return () => adapter;
}

const send = (channel = createChannelAdapter()) => sendDueActivations(world.job, channel);
const minutes = (count: number) =>
  world.setNow(new Date(Date.parse("2026-11-20T12:00:00Z") + count * 60_000).toISOString());

async function activationStates(id: CampaignId): Promise<string[]> {
  const rows = await db().execute(sql`
    select channel, confirmed_state as state, confirmed_version as version, failures, last_error, extract(epoch from due_at - ${world.job.clock().toISOString()}::timestamptz)::int as due
    from channel_activations where line_item_id in (select id from line_items where campaign_id = ${id}) order by channel`);
  return [...rows].map((row) => Object.values(row).map(String).join(" "));
}

test("an approval activates each channel once, a pause pauses it, and nothing is sent twice", async () => {
  const id = await world.aRunningCampaign();
  expect(await activationStates(id)).toEqual(["dv360 null null 0 null 0", "trade_desk null null 0 null 0"]);
  expect(await send()).toBe(2);
  expect(calls.sort()).toEqual([
    expect.stringMatching(/^activate dv360 1 .+ 1$/),
    expect.stringMatching(/^activate trade_desk 1/),
  ]);
  expect(await activationStates(id)).toEqual(["dv360 active 1 0 null null", "trade_desk active 1 0 null null"]);
  expect(await send()).toBe(0);
  await pauseCampaign(world.northwind, { id });
  await send();
  expect(calls.slice(2).sort()).toEqual(["pause dv360 dv360-1", "pause trade_desk trade_desk-1"]);
  await resumeCampaign(world.northwind, { id });
  await send();
  expect(calls.slice(4).map((call) => call.split(" ")[0])).toEqual(["activate", "activate"]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("while its process stops no further request begins, and the next process sends the rest", async () => {
  await world.aRunningCampaign();
  const stop = new AbortController();
  const channel = createChannelAdapter(() => stop.abort());
  expect(await sendDueActivations({ ...world.job, stopping: stop.signal }, channel)).toBe(1);
  expect(calls).toHaveLength(1);
  expect(await send()).toBe(1);
  expect(new Set(calls.map((call) => call.split(" ")[1]))).toEqual(new Set(["dv360", "trade_desk"]));
});

test("another version updates its channels, activates new ones and pauses removed ones", async () => {
  const id = await world.aRunningCampaign();
  await send();
  await updateCampaign(world.northwind, {
    id,
    changes: campaignChanges({ channels: ["dv360", "amazon_dsp"] }),
    send: true,
  });
  expect(await send()).toBe(0);
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await send();
  const now = calls.slice(2).map((call) => call.split(" ").slice(0, 3).join(" "));
  expect(now.sort()).toEqual(["activate amazon_dsp 2", "change dv360 2", "pause trade_desk trade_desk-1"]);
  expect(await send()).toBe(0);
});

test("a pause before the channel was activated is settled without a request", async () => {
  const id = await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id });
  expect(await send()).toBe(2);
  expect(calls).toEqual([]);
  expect(await activationStates(id)).toEqual(["dv360 null null 0 null null", "trade_desk null null 0 null null"]);
});

test("a failure is retried, each time later, and its reason is shown until it works", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let succeeds = false;
  const channel = createChannelAdapter(() => {
    if (!succeeds) throw new ChannelError("The channel did not answer");
  });
  const seen: string[] = [];
  for (const at of [0, 0.5, 1, 2.9, 3]) {
    minutes(at);
    await send(channel);
    seen.push(`${calls.length} ${(await activationStates(id))[0]}`);
  }
  expect(seen).toEqual([
    "1 dv360 null null 1 The channel did not answer 60",
    "1 dv360 null null 1 The channel did not answer 30",
    "2 dv360 null null 2 The channel did not answer 120",
    "2 dv360 null null 2 The channel did not answer 6",
    "3 dv360 null null 3 The channel did not answer 240",
  ]);
  const listed = await listCampaignChannels(world.northwind, { id, isSimulated: true });
  const retryAt = new Date("2026-11-20T12:07:00Z");
  expect(listed).toMatchObject([{ channel: "dv360", status: "failed", runningVersion: null, retryAt }]);
  expect(JSON.stringify(listed)).not.toContain("did not answer");
  const managed = await listCampaignChannels(world.northwind, { id, isSimulated: false });
  expect([...listed, ...managed].map(({ isManaged }) => isManaged)).toEqual([false, true]);
  expect(await listCampaignChannels(world.brightside, { id, isSimulated: true })).toEqual([]);
  succeeds = true;
  minutes(7);
  await send(channel);
  expect(await activationStates(id)).toEqual(["dv360 active 1 0 null null"]);
});

test("a pause after a failed activation is sent, retried until the channel confirms it, and listed meanwhile", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let fails = true;
  const channel = createChannelAdapter(() => {
    if (fails) throw new ChannelError("The channel did not answer", { problem: "unreachable" });
  });
  const verbs = () => calls.map((call) => call.split(" ")[0]);
  const listed = async () =>
    (await listCampaignChannels(world.northwind, { id, isSimulated: true })).map(({ status }) => status);
  await send(channel);
  await pauseCampaign(world.northwind, { id });
  expect(await listed()).toEqual(["stopping"]);
  await send(channel);
  expect([verbs(), await listed()]).toEqual([["activate", "pause"], ["failed"]]);
  fails = false;
  minutes(1);
  await send(channel);
  expect([verbs(), await listed()]).toEqual([["activate", "pause", "pause"], ["stopped"]]);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null"]);
  await resumeCampaign(world.northwind, { id });
  await send(channel);
  expect([verbs().slice(3), await listed()]).toEqual([["activate"], ["delivering"]]);
});

test("a pause during a request to the channel is sent next", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let once = true;
  const channel = createChannelAdapter(async () => {
    if (once) await pauseCampaign(world.northwind, { id });
    once = false;
  });
  await send(channel);
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["activate", "pause"]);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null"]);
});

test.each([
  ["pause", pauseCampaign, "paused"],
  ["resumption", resumeCampaign, "active"],
] as const)(
  "a %s during a request is sent next, also when another process runs meanwhile",
  async (_, change, state) => {
    const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
    if (state === "active") {
      await send();
      await pauseCampaign(world.northwind, { id });
      calls = [];
    }
    let once = true;
    const channel = createChannelAdapter(async () => {
      if (!once) return;
      once = false;
      await change(world.northwind, { id });
      await send();
    });
    await send(channel);
    await send();
    const wanted = state === "paused" ? ["activate", "pause"] : ["pause", "activate"];
    expect(calls.map((call) => call.split(" ")[0])).toEqual(wanted);
    expect(await activationStates(id)).toEqual([`dv360 ${state} 1 0 null null`]);
  },
);

test("while a request is going on no other process sends one, whatever changes meanwhile", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  const failing = createChannelAdapter(() => {
    throw new ChannelError("The channel did not answer", { problem: "unreachable" });
  });
  await send(failing);
  minutes(1);
  let sentMeanwhile: number | undefined;
  const channel = createChannelAdapter(async () => {
    await pauseCampaign(world.northwind, { id });
    sentMeanwhile ??= await send();
  });
  await send(channel);
  expect([sentMeanwhile, calls.map((call) => call.split(" ")[0])]).toEqual([0, ["activate", "activate", "pause"]]);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null"]);
});

test("a pause after an activation whose process died is sent after the lease", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  const crashingAdapter = createChannelAdapter(() => {
    throw new Error("killed");
  });
  await expect(send(crashingAdapter)).rejects.toThrow("killed");
  await pauseCampaign(world.northwind, { id });
  expect(await send()).toBe(0);
  minutes(3);
  expect(await send()).toBe(1);
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["activate", "pause"]);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null"]);
});

test("an activation that ends after its lease, and after a pause by another process, is paused again", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let once = true;
  const channel = createChannelAdapter(async () => {
    if (!once) return;
    once = false;
    minutes(3);
    await pauseCampaign(world.northwind, { id });
    await send();
  });
  await send(channel);
  expect(calls.map((call) => call.split(" ")[0])).toEqual(["activate", "pause", "pause"]);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null"]);
});

test("of several processes one sends; an activation whose process died is sent after its lease", async () => {
  const id = await world.aRunningCampaign();
  await Promise.all([send(), send(), send(), send()]);
  expect(calls).toHaveLength(2);
  await pauseCampaign(world.northwind, { id });
  const crashingAdapter = createChannelAdapter(() => {
    throw new Error("killed");
  });
  await expect(send(crashingAdapter)).rejects.toThrow("killed");
  expect(await send()).toBe(1);
  minutes(3);
  expect(await send()).toBe(1);
  expect(await activationStates(id)).toEqual(["dv360 paused 1 0 null null", "trade_desk paused 1 0 null null"]);
});

describe("the next request to a channel", () => {
  const table: [
    Activation["confirmedState"],
    number | null,
    Activation["problem"],
    Activation["desiredState"],
    string | null,
  ][] = [
    [null, null, null, "active", "activate"],
    [null, null, null, "paused", null],
    [null, null, "rejected", "active", "activate"],
    [null, null, "rejected", "paused", "pause"],
    [null, null, "waiting", "paused", "pause"],
    ["active", 2, null, "active", null],
    ["active", 1, null, "active", "change"],
    ["active", 1, null, "paused", "pause"],
    ["paused", 2, null, "active", "activate"],
    ["paused", 1, null, "paused", null],
    ["paused", 1, "unreachable", "paused", "pause"],
  ];
  test.each(table)(
    "%s on version %s, problem %s, desired %s on version 2: %s",
    (state, version, problem, wanted, next) => {
      const activation = { confirmedState: state, confirmedVersion: version, problem };
      expect(nextActivationStep({ ...activation, desiredState: wanted, desiredVersion: 2 })).toBe(next);
    },
  );

  const statusCases: [Partial<Parameters<typeof activationStatus>[0]>, string][] = [
    [{ confirmedState: "active", confirmedVersion: 2 }, "delivering"],
    [{}, "waiting"],
    [{ failures: 3, problem: "waiting" }, "waiting"],
    [{ confirmedState: "active", confirmedVersion: 1, failures: 1, problem: "rate_limited" }, "failed"],
    [{ desiredState: "paused", confirmedState: "active", confirmedVersion: 2 }, "stopping"],
    [
      { desiredState: "paused", confirmedState: "active", confirmedVersion: 2, failures: 1, problem: "rate_limited" },
      "failed",
    ],
    [{ desiredState: "paused", confirmedState: "paused", confirmedVersion: 2 }, "stopped"],
  ];
  test.each(statusCases)("%o is %s", (activation, status) => {
    const unsentActivation = {
      desiredState: "active",
      desiredVersion: 2,
      confirmedState: null,
      confirmedVersion: null,
      failures: 0,
      problem: null,
    } as const;
    expect(activationStatus({ ...unsentActivation, ...activation })).toBe(status);
  });

  test("waits grow from a minute to six hours", () => {
    expect([1, 2, 3, 9, 10, 1_000].map((count) => backoffMs(count) / 60_000)).toEqual([1, 2, 4, 256, 360, 360]);
  });
});

test("a channel that limits requests or does not respond is left alone, and does not hold up the others", async () => {
  const ids = [await world.aRunningCampaign(), await world.aRunningCampaign()];
  let problem: "rate_limited" | "unreachable" = "unreachable";
  const channel = createChannelAdapter((verb) => {
    const retryAfterMs = problem === "rate_limited" ? 20 * 60_000 : undefined;
    if (verb.includes("dv360")) throw new ChannelError("Not now", { problem, retryAfterMs });
  });
  const asked = () => calls.splice(0).map((call) => call.split(" ")[1]);
  await send(channel);
  expect(asked().sort()).toEqual(["dv360", "trade_desk", "trade_desk"]);
  problem = "rate_limited";
  minutes(1);
  await send(channel);
  expect(asked()).toEqual(["dv360"]);
  const dv360 = (await Promise.all(ids.map(activationStates))).flat().filter((state) => state.startsWith("dv360"));
  expect(dv360.map((state) => state.split(" ").at(-1))).toEqual(["1200", "1200"]);
  minutes(20);
  await send(channel);
  expect(asked()).toEqual([]);
});

test("a channel that does not respond is asked by one request a minute, however many activations are due", async () => {
  for (let count = 0; count < 4; count += 1) await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  const silent = createChannelAdapter(() => {
    throw new ChannelError("No response", { problem: "unreachable" });
  });
  const requests: number[] = [];
  for (const at of [0, 0.5, 0.9, 1, 1.5, 2]) {
    minutes(at);
    await send(silent);
    requests.push(calls.length);
  }
  expect(requests).toEqual([1, 1, 1, 2, 2, 3]);
  minutes(3);
  await send();
  expect(calls.length).toBeGreaterThanOrEqual(5);
});
