import { eq } from "drizzle-orm";
import { channelConnections } from "#db/schema/index.ts";
import { type Channel, channels } from "../../campaigns/campaign.ts";
import type { Ctx } from "../../context.ts";
import type { ChannelAdapter } from "./channel-adapter.ts";
import { ChannelError, type ChannelProblem } from "./channel-problem.ts";
import { connectedChannel } from "./connected-channel.server.ts";
import { platformOf, readCredentials } from "./open-platform.server.ts";
import type { Platform } from "./platform.ts";
import { sandboxChannel } from "./sandbox-channel.server.ts";

export type Adapters = {
  /** What stands behind a channel: what was connected to it, else the sandbox. */
  of: (channel: Channel) => ChannelAdapter;
  /** Each that stands behind a channel, once. */
  all: () => Set<ChannelAdapter>;
};

/**
 * What stands behind the channels now. What comes of each request is kept on the connection. One whose credentials cannot be
 * opened stands there all the same, and fails: the sandbox must not deliver in its place.
 */
export async function openAdapters(ctx: Ctx): Promise<Adapters> {
  const rows = await ctx.db.select().from(channelConnections);
  const connected = new Map<Channel, ChannelAdapter>(
    rows.map((row) => [row.channel, connectedChannel(openPlatform(ctx, row), row)]),
  );
  const sandbox = sandboxChannel(new Set(channels.filter((channel) => !connected.has(channel))));
  const of = (channel: Channel) => connected.get(channel) ?? sandbox;
  return { of, all: () => new Set([sandbox, ...connected.values()]) };
}

type Row = typeof channelConnections.$inferSelect;

function openPlatform(ctx: Ctx, row: Row): Platform {
  let noted: ChannelProblem | null | undefined;
  const note = async (problem: ChannelProblem | null) => {
    // Once is enough: an upload has hundreds of requests.
    if (noted === problem) return;
    noted = problem;
    await ctx.db
      .update(channelConnections)
      .set({ problem, checkedAt: ctx.clock() })
      .where(eq(channelConnections.id, row.id));
  };
  try {
    return platformOf(readCredentials(row), { note });
  } catch (error) {
    if (error instanceof ChannelError) return closedPlatform(row, error, note);
    throw error;
  }
}

/** Fails whatever is asked of it. */
function closedPlatform(
  { channel }: Row,
  error: ChannelError,
  note: (problem: ChannelProblem) => Promise<void>,
): Platform {
  const fail = async () => {
    await note(error.problem);
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
      inABatch: 1,
      uploadLasts: 0,
      create: fail,
      begin: fail,
      send: fail,
      settle: fail,
      remove: fail,
    },
  };
}
