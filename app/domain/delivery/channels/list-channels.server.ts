import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import { channelCollections, channelConnections } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../../context.ts";
import { type ConnectableChannel, connectableChannels } from "./connectable.ts";
import { reportSourceName } from "./connected-channel.server.ts";

const statesRow = z.object({ well: z.number(), onTheWay: z.number(), failed: z.number(), errors: z.array(z.string()) });
export type StateCounts = z.output<typeof statesRow>;
export type ListedChannel = Awaited<ReturnType<typeof listChannels>>[number];

/** Lists the connectable channels with the results of the last requests, reports, activations and audience syncs. */
export async function listChannels(ctx: Ctx<OperatorActor>) {
  return Promise.all(connectableChannels.map((channel) => listChannel(ctx, channel)));
}

async function listChannel(ctx: Ctx, channel: ConnectableChannel) {
  const [connection] = await ctx.db
    .select({
      account: channelConnections.account,
      timeZone: channelConnections.timeZone,
      problem: channelConnections.problem,
      checkedAt: channelConnections.checkedAt,
      connectedAt: channelConnections.connectedAt,
      connectedBy: channelConnections.connectedBy,
    })
    .from(channelConnections)
    .where(eq(channelConnections.channel, channel));
  if (!connection) return { channel, connection: undefined };
  const [reports] = await ctx.db
    .select()
    .from(channelCollections)
    .where(eq(channelCollections.source, reportSourceName(channel)));
  return {
    channel,
    connection,
    reports,
    orders: await countStates(
      ctx,
      // Also those that are not paused there yet although they should be.
      sql`channel_activations where channel = ${channel} and (desired_state = 'active' or confirmed_state = 'active' or problem is not null)`,
      sql`desired_state = 'active' and confirmed_state = 'active' and confirmed_version = desired_version`,
    ),
    audiences: await countStates(ctx, sql`channel_audiences where channel = ${channel}`, sql`version is not null`),
  };
}

async function countStates(
  ctx: Ctx,
  rows: ReturnType<typeof sql>,
  isWell: ReturnType<typeof sql>,
): Promise<StateCounts> {
  const [row] = await queryRows(
    ctx.db,
    statesRow,
    sql`
      select count(*) filter (where failures = 0 and ${isWell})::int as well, count(*) filter (where failures = 0 and not coalesce(${isWell}, false))::int as "onTheWay",
        count(*) filter (where failures > 0)::int as failed, coalesce((array_agg(distinct last_error) filter (where failures > 0))[1:5], '{}') as errors
      from ${rows}`,
  );
  return row ?? { well: 0, onTheWay: 0, failed: 0, errors: [] };
}
