import { eq } from "drizzle-orm";
import { channelConnections } from "#db/schema/index.ts";
import { type Channel, channels } from "../../campaigns/campaign.ts";
import type { Ctx } from "../../context.ts";
import type { ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError, type ChannelProblem } from "./channel-problem.ts";
import { connectedChannel } from "./connected-channel.server.ts";
import { createPlatform, decryptCredentials } from "./create-platform.server.ts";
import type { Platform } from "./platform.ts";
import { sandboxChannel } from "./sandbox/sandbox-channel.server.ts";

export type ChannelAdapters = {
  /** Returns a channel's adapter: that of its connected platform, else the sandbox. */
  of: (channel: Channel) => ChannelAdapter;
  /** Returns the adapters that report delivery, each once: without the sandbox where delivery is not simulated. */
  reporting: (delivery: { isSimulated: boolean }) => Set<ChannelAdapter>;
};

/**
 * Loads the adapters of all channels. The result of each request is stored with the connection. A connection whose
 * credentials cannot be decrypted gets an adapter that always fails: the sandbox must not deliver in its place.
 */
export async function loadChannelAdapters(ctx: Ctx): Promise<ChannelAdapters> {
  const rows = await ctx.db.select().from(channelConnections);
  const connected = new Map<Channel, ChannelAdapter>(
    rows.map((row) => [row.channel, connectedChannel(openPlatform(ctx, row), row)]),
  );
  const sandbox = sandboxChannel(new Set(channels.filter((channel) => !connected.has(channel))));
  const of = (channel: Channel) => connected.get(channel) ?? sandbox;
  return { of, reporting: ({ isSimulated }) => new Set([...(isSimulated ? [sandbox] : []), ...connected.values()]) };
}

type Row = typeof channelConnections.$inferSelect;

function openPlatform(ctx: Ctx, row: Row): Platform {
  let lastResult: ChannelProblem | null | undefined;
  const saveResult = async (problem: ChannelProblem | null) => {
    // A repeated result is not stored again: an upload has hundreds of requests.
    if (lastResult === problem) return;
    lastResult = problem;
    await ctx.db
      .update(channelConnections)
      .set({ problem, checkedAt: ctx.clock() })
      .where(eq(channelConnections.id, row.id));
  };
  try {
    return createPlatform(decryptCredentials(row), { onResult: saveResult, retryPolicy: { stopping: ctx.stopping } });
  } catch (error) {
    if (error instanceof ChannelError) return failingPlatform(row, error, saveResult);
    throw error;
  }
}

/** Returns a platform whose every call fails. */
function failingPlatform(
  { channel }: Row,
  error: ChannelError,
  saveResult: (problem: ChannelProblem) => Promise<void>,
): Platform {
  const fail = async () => {
    await saveResult(error.problem);
    throw error;
  };
  return {
    channel,
    getAccount: fail,
    findCampaigns: fail,
    setRunning: fail,
    // biome-ignore lint/correctness/useYield: it never comes to a page.
    readDay: async function* () {
      await fail();
    },
    audiences: {
      family: "google",
      takesAddresses: false,
      maxBatchSize: 1,
      uploadTtlMs: 0,
      create: fail,
      begin: fail,
      send: fail,
      finish: fail,
      remove: fail,
    },
  };
}
