import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, channelAudiences } from "#db/schema/index.ts";
import { minimumAudienceSize } from "../../audiences/audience.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceDestination } from "./channel-adapter.ts";
import { type ChannelAudience, isRow, letGo } from "./channel-audience-rows.server.ts";
import { uploadAudience } from "./upload-audience.server.ts";

type Work = { row: ChannelAudience; destination: AudienceDestination };

/** Changes are brought so often at most, since each upload is of the whole audience; an erasure at once. In milliseconds. */
const calm = 3_600_000;
const aDay = 24 * 3_600_000;

/** Makes an audience at a channel what it is here: there, changed, or gone. Throws a ChannelError. */
export async function syncAudience(ctx: Ctx<JobActor>, { row, destination }: Work): Promise<void> {
  const audience = await readAudience(ctx, row);
  const now = ctx.clock().getTime();
  if (!audience.used || audience.size < minimumAudienceSize) return takeAway(ctx, { row, destination, audience });
  if (row.version === audience.version) return letGo(ctx, row, { ...well, dueAt: new Date(now + aDay) });
  const rest = row.sentAt ? row.sentAt.getTime() + calm - now : 0;
  // What is on its way is brought to its end first.
  if (rest > 0 && !audience.erased && !row.upload) return letGo(ctx, row, { dueAt: new Date(now + rest) });
  await uploadAudience(ctx, { row, destination, audience });
}

const well = { failures: 0, problem: null, lastError: null };

const foundRow = z.object({
  version: columnValue(audiences.version),
  generation: columnValue(audiences.generation),
  size: columnValue(audiences.size),
  used: z.boolean(),
  erased: z.boolean(),
});
type Found = z.output<typeof foundRow>;

/** `used`: a line item that runs or is paused has it on the channel. `erased`: people were, since what is there was sent. */
async function readAudience(ctx: Ctx, { audienceId, channel, version }: ChannelAudience): Promise<Found> {
  const [found] = await queryRows(
    ctx.db,
    foundRow,
    sql`
      select audience.version, audience.generation, audience.size,
        audience.status <> 'archived' and exists (
          select from version_audiences chosen
          join line_items item on item.campaign_id = chosen.campaign_id and item.publisher_id = chosen.publisher_id and item.approved_version = chosen.version
          join campaign_versions approved on approved.campaign_id = chosen.campaign_id and approved.number = chosen.version
          where chosen.audience_id = audience.id and item.status in ('active', 'paused') and ${channel} = any(approved.channels)) as used,
        exists (select from audience_versions past where past.audience_id = audience.id and past.source = 'erasure' and past.number > ${version ?? 0}) as erased
      from audiences audience where audience.id = ${audienceId}`,
  );
  // It goes with its audience.
  return found ?? { version: 0, generation: 0, size: 0, used: false, erased: false };
}

/** Too few people stay noted: they may become enough. */
async function takeAway(ctx: Ctx<JobActor>, { row, destination, audience }: Work & { audience: Found }): Promise<void> {
  if (row.reference) await destination.remove(row.reference);
  const dueAt = new Date(ctx.clock().getTime() + aDay);
  const nothing = { reference: null, version: null, sentAt: null, upload: null };
  if (!audience.used) await ctx.db.delete(channelAudiences).where(isRow(row));
  else await letGo(ctx, row, { ...nothing, ...well, dueAt });
}
