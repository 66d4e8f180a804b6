import { eq } from "drizzle-orm";
import { audiences, channelAudiences } from "#db/schema/index.ts";
import type { DestinationMember } from "../../audiences/destination-member.ts";
import { readDestinationMembers } from "../../audiences/read-destination-members.server.ts";
import type { Ctx, JobActor } from "../../context.ts";
import type { AudienceDestination } from "./channel-adapter.ts";
import { type ChannelAudience, isRow, leaseFrom, letGo } from "./channel-audience-rows.server.ts";
import type { ChannelUpload } from "./channel-upload.ts";
import { wakeOrders } from "./wake-orders.server.ts";

/** The audience as it is here, which the channel is to have. */
type SyncedAudience = { version: number; generation: number; size: number };
type Work = { row: ChannelAudience; destination: AudienceDestination; audience: SyncedAudience };
type Sending = { row: ChannelAudience; destination: AudienceDestination; reference: string };

/** Then the next run goes on, so that a server that stops is not waited for. In milliseconds. */
const atATime = 30_000;
/** A channel works on what it got for hours at times. In milliseconds. */
const untilAskedAgain = 600_000;

/**
 * Puts all of an audience's hashes in the place of what is there. What a cut left is gone on with while the audience is the
 * same and the channel still knows the upload; else it begins anew, and what was begun there never comes into force.
 */
export async function uploadAudience(ctx: Ctx<JobActor>, { row, destination, audience }: Work): Promise<void> {
  const { reference, isNew } = row.reference
    ? { reference: row.reference, isNew: false }
    : await destination.create({ audienceId: row.audienceId });
  if (!row.reference) await ctx.db.update(channelAudiences).set({ reference }).where(isRow(row));
  const sending = { row, destination, reference };
  const upload =
    goesOn(ctx, { row, destination, audience }) ?? (await begin(ctx, { ...sending, audience, first: isNew }));
  const sent = upload.phase === "processing" ? upload : await sendAll(ctx, { ...sending, upload, size: audience.size });
  const now = ctx.clock();
  if (!sent) return letGo(ctx, row, { upload: null, dueAt: now });
  if (sent.phase === "sending") return letGo(ctx, row, { upload: sent, dueAt: now });
  if (!(await destination.settle({ reference, token: sent.token }))) {
    return letGo(ctx, row, { upload: sent, dueAt: new Date(now.getTime() + untilAskedAgain) });
  }
  const { version } = sent;
  const well = { failures: 0, problem: null, lastError: null };
  // It may have changed in the meantime.
  await letGo(ctx, row, { ...well, version, sentAt: now, upload: null, dueAt: now });
  await wakeOrders(ctx, row);
}

function goesOn(ctx: Ctx, { row: { upload }, destination, audience }: Work): ChannelUpload | undefined {
  if (!upload) return undefined;
  if (upload.phase === "processing") return upload;
  const isSame = upload.version === audience.version && upload.generation === audience.generation;
  const age = ctx.clock().getTime() - Date.parse(upload.begunAt);
  return isSame && age < destination.uploadLasts ? upload : undefined;
}

async function begin(
  ctx: Ctx,
  { row, destination, reference, audience, first }: Sending & Work & { first: boolean },
): Promise<ChannelUpload> {
  const token = await destination.begin({ reference, first });
  const { version, generation } = audience;
  const upload: ChannelUpload = {
    token,
    first,
    version,
    generation,
    sequence: 0,
    after: null,
    phase: "sending",
    begunAt: ctx.clock().toISOString(),
  };
  await keep(ctx, row, upload);
  return upload;
}

/** As far as it gets in its time. Undefined when the audience's blocks were replaced meanwhile: the last batch is not sent then. */
async function sendAll(
  ctx: Ctx,
  { row, destination, reference, upload, size }: Sending & { upload: ChannelUpload; size: number },
): Promise<ChannelUpload | undefined> {
  const { audienceId } = row;
  const { family, inABatch } = destination;
  const blocks = readDestinationMembers(
    ctx.db,
    { audienceId, generation: upload.generation },
    { family, after: upload.after },
  );
  const end = Date.now() + atATime;
  let now = upload;
  for await (const { members, last } of batchesOf(blocks, inABatch)) {
    if (Date.now() > end) return now;
    if (last && (await generationOf(ctx, row)) !== upload.generation) return undefined;
    const { token, first } = upload;
    const sequence = now.sequence + 1;
    await destination.send({ reference, token, first, sequence, last, total: size, members });
    now = { ...now, sequence, after: members.at(-1)?.hash ?? now.after };
    await keep(ctx, row, now);
  }
  return { ...now, phase: "processing" };
}

async function* batchesOf(
  blocks: AsyncIterable<DestinationMember[]>,
  inABatch: number,
): AsyncIterable<{ members: DestinationMember[]; last: boolean }> {
  let waiting: DestinationMember[] = [];
  for await (const block of blocks) {
    waiting.push(...block);
    // One more than a batch, so that the last is known as such.
    while (waiting.length > inABatch) {
      yield { members: waiting.slice(0, inABatch), last: false };
      waiting = waiting.slice(inABatch);
    }
  }
  if (waiting.length > 0) yield { members: waiting, last: true };
}

/** How far it got, and that somebody is at it. */
async function keep(ctx: Ctx, row: ChannelAudience, upload: ChannelUpload): Promise<void> {
  await ctx.db
    .update(channelAudiences)
    .set({ upload, busyUntil: leaseFrom(ctx.clock()) })
    .where(isRow(row));
}

async function generationOf(ctx: Ctx, { audienceId }: ChannelAudience): Promise<number | undefined> {
  const [found] = await ctx.db
    .select({ generation: audiences.generation })
    .from(audiences)
    .where(eq(audiences.id, audienceId));
  return found?.generation;
}
