import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { pauseCampaign, resumeCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import type { ChannelAdapter } from "#app/domain/delivery/channels/channel-adapter.ts";
import { ChannelError } from "#app/domain/delivery/channels/channel-problem.ts";
import { listCampaignChannels } from "#app/domain/delivery/channels/list-campaign-channels.server.ts";
import { backoffOf, nextOrder, type Order, standingOf } from "#app/domain/delivery/channels/order.ts";
import { sendDueOrders } from "#app/domain/delivery/channels/send-due-orders.server.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { useDatabase } from "#tests/support/database.ts";
import { findBrokenInvariants } from "#tests/support/invariants.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let told: string[];
beforeEach(async () => {
  world ??= await makeWorld(db());
  world.setNow("2026-11-20T12:00:00Z");
  await db().execute(
    sql`update channel_orders set due_at = null, state = wanted, version = wanted_version, reference = 'x'`,
  );
  told = [];
});

/** A channel that writes down what it is told, and does what a test wants besides. */
function aChannel(also: (verb: string) => unknown = () => undefined): () => ChannelAdapter {
  const hear = async (words: string) => {
    told.push(words);
    await also(words);
  };
  const adapter: ChannelAdapter = {
    source: "heard",
    everyHours: 1,
    activate: async (_, { channel, version, name, audienceIds }) => {
      await hear(`activate ${channel} ${version} ${name} ${audienceIds.length}`);
      return { reference: `${channel}-1` };
    },
    change: async (_, { channel, version, reference }) => {
      await hear(`change ${channel} ${version} ${reference}`);
      return { reference };
    },
    pause: async (_, { channel, reference }) => hear(`pause ${channel} ${reference}`),
    fetchReport: async function* () {},
  };
  return () => adapter;
}

const send = (channel = aChannel()) => sendDueOrders(world.job, channel);
const minutes = (count: number) =>
  world.setNow(new Date(Date.parse("2026-11-20T12:00:00Z") + count * 60_000).toISOString());

async function ordersOf(id: CampaignId): Promise<string[]> {
  const rows = await db().execute(sql`
    select channel, state, version, failures, last_error, extract(epoch from due_at - ${world.job.clock().toISOString()}::timestamptz)::int as due
    from channel_orders where line_item_id in (select id from line_items where campaign_id = ${id}) order by channel`);
  return [...rows].map((row) => Object.values(row).map(String).join(" "));
}

test("a yes activates each channel once, a pause pauses it, and nothing is told twice", async () => {
  const id = await world.aRunningCampaign();
  expect(await ordersOf(id)).toEqual(["dv360 null null 0 null 0", "trade_desk null null 0 null 0"]);
  expect(await send()).toBe(2);
  expect(told.sort()).toEqual([
    expect.stringMatching(/^activate dv360 1 .+ 1$/),
    expect.stringMatching(/^activate trade_desk 1/),
  ]);
  expect(await ordersOf(id)).toEqual(["dv360 active 1 0 null null", "trade_desk active 1 0 null null"]);
  expect(await send()).toBe(0);
  await pauseCampaign(world.northwind, { id });
  await send();
  expect(told.slice(2).sort()).toEqual(["pause dv360 dv360-1", "pause trade_desk trade_desk-1"]);
  await resumeCampaign(world.northwind, { id });
  await send();
  expect(told.slice(4).map((words) => words.split(" ")[0])).toEqual(["activate", "activate"]);
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("another version changes its channels, begins new ones and pauses those it has no more", async () => {
  const id = await world.aRunningCampaign();
  await send();
  await changeCampaign(world.northwind, { id, changes: payload({ channels: ["dv360", "amazon_dsp"] }), send: true });
  expect(await send()).toBe(0);
  await reviewCampaign(world.harbor, { id, action: "approve" });
  await send();
  const now = told.slice(2).map((words) => words.split(" ").slice(0, 3).join(" "));
  expect(now.sort()).toEqual(["activate amazon_dsp 2", "change dv360 2", "pause trade_desk trade_desk-1"]);
  expect(await send()).toBe(0);
});

test("a pause before the channel ever heard of it is settled without a word", async () => {
  const id = await world.aRunningCampaign();
  await pauseCampaign(world.northwind, { id });
  expect(await send()).toBe(2);
  expect(told).toEqual([]);
  expect(await ordersOf(id)).toEqual(["dv360 null null 0 null null", "trade_desk null null 0 null null"]);
});

test("what fails is tried again, each time later, and its reason is kept until it works", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let works = false;
  const channel = aChannel(() => {
    if (!works) throw new ChannelError("The channel did not answer");
  });
  const seen: string[] = [];
  for (const at of [0, 0.5, 1, 2.9, 3]) {
    minutes(at);
    await send(channel);
    seen.push(`${told.length} ${(await ordersOf(id))[0]}`);
  }
  expect(seen).toEqual([
    "1 dv360 null null 1 The channel did not answer 60",
    "1 dv360 null null 1 The channel did not answer 30",
    "2 dv360 null null 2 The channel did not answer 120",
    "2 dv360 null null 2 The channel did not answer 6",
    "3 dv360 null null 3 The channel did not answer 240",
  ]);
  const listed = await listCampaignChannels(world.northwind, id);
  const triedAgainAt = new Date("2026-11-20T12:07:00Z");
  expect(listed).toMatchObject([{ channel: "dv360", standing: "failed", runningVersion: null, triedAgainAt }]);
  expect(JSON.stringify(listed)).not.toContain("did not answer");
  expect(await listCampaignChannels(world.brightside, id)).toEqual([]);
  works = true;
  minutes(7);
  await send(channel);
  expect(await ordersOf(id)).toEqual(["dv360 active 1 0 null null"]);
});

test("a pause that comes while the channel is being told is told next", async () => {
  const id = await world.aRunningCampaign({ changes: { channels: ["dv360"] } });
  let once = true;
  const channel = aChannel(async () => {
    if (once) await pauseCampaign(world.northwind, { id });
    once = false;
  });
  await send(channel);
  expect(told.map((words) => words.split(" ")[0])).toEqual(["activate", "pause"]);
  expect(await ordersOf(id)).toEqual(["dv360 paused 1 0 null null"]);
});

test("of several processes one tells; an order whose process died is told after its lease", async () => {
  const id = await world.aRunningCampaign();
  await Promise.all([send(), send(), send(), send()]);
  expect(told).toHaveLength(2);
  await pauseCampaign(world.northwind, { id });
  const dying = aChannel(() => {
    throw new Error("killed");
  });
  await expect(send(dying)).rejects.toThrow("killed");
  expect(await send()).toBe(1);
  minutes(3);
  expect(await send()).toBe(1);
  expect(await ordersOf(id)).toEqual(["dv360 paused 1 0 null null", "trade_desk paused 1 0 null null"]);
});

describe("what a channel is told next", () => {
  const table: [Order["state"], number | null, Order["wanted"], string | null][] = [
    [null, null, "active", "activate"],
    [null, null, "paused", null],
    ["active", 2, "active", null],
    ["active", 1, "active", "change"],
    ["active", 1, "paused", "pause"],
    ["paused", 2, "active", "activate"],
    ["paused", 1, "paused", null],
  ];
  test.each(table)("%s on version %s, wanted %s on version 2: %s", (state, version, wanted, next) => {
    expect(nextOrder({ state, version, wanted, wantedVersion: 2 })).toBe(next);
  });

  const standings: [Partial<Parameters<typeof standingOf>[0]>, string][] = [
    [{ state: "active", version: 2 }, "delivering"],
    [{}, "waiting"],
    [{ failures: 3, problem: "waiting" }, "waiting"],
    [{ state: "active", version: 1, failures: 1, problem: "busy" }, "failed"],
    [{ wanted: "paused", state: "active", version: 2 }, "stopping"],
    [{ wanted: "paused", state: "active", version: 2, failures: 1, problem: "busy" }, "failed"],
    [{ wanted: "paused", state: "paused", version: 2 }, "stopped"],
  ];
  test.each(standings)("%o is %s", (order, standing) => {
    const untold = {
      wanted: "active",
      wantedVersion: 2,
      state: null,
      version: null,
      failures: 0,
      problem: null,
    } as const;
    expect(standingOf({ ...untold, ...order })).toBe(standing);
  });

  test("waits grow from a minute to six hours", () => {
    expect([1, 2, 3, 9, 10, 1_000].map((count) => backoffOf(count) / 60_000)).toEqual([1, 2, 4, 256, 360, 360]);
  });
});
