import { and, eq, type SQL, sql } from "drizzle-orm";
import { type AudienceConsent, isSameConsent } from "#app/domain/audiences/consent/audience-consent.ts";
import type { DestinationMember } from "#app/domain/audiences/destination-member.ts";
import { openMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import { readDestinationMembers } from "#app/domain/audiences/read-destination-members.server.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { AudienceDestination } from "#app/domain/delivery/channels/channel-adapter.ts";
import { rescheduleActivations } from "#app/domain/delivery/channels/reschedule-activations.server.ts";
import { audiences, channelAudiences } from "#db/schema/index.ts";
import {
  type ChannelAudience,
  holdsLease,
  LeaseLostError,
  leaseExpiry,
  releaseChannelAudience,
} from "./channel-audience-rows.server.ts";
import type { ChannelUpload } from "./channel-upload.ts";

/** The current state of the audience, which the channel should have. `consent` is null where it takes none. */
type SyncedAudience = { version: number; generation: number; size: number; consent: AudienceConsent | null };
type Work = { row: ChannelAudience; destination: AudienceDestination; audience: SyncedAudience };
type Sending = { row: ChannelAudience; destination: AudienceDestination; reference: string };

/** After this time, in milliseconds, or when the process stops, the next run continues. */
const runTimeMs = 30_000;
/** The interval at which a processing upload is checked, in milliseconds: a channel can take hours. */
const processingCheckMs = 600_000;

/**
 * Uploads all of an audience's hashes, replacing the previous ones. An interrupted upload is resumed while the audience
 * is unchanged and the channel still knows the upload; otherwise it is abandoned for a new one, which replaces what it
 * sent. Throws a LeaseLostError.
 */
export async function uploadAudience(ctx: Ctx<JobActor>, { row, destination, audience }: Work): Promise<void> {
  const { reference, isNew } = row.reference
    ? { reference: row.reference, isNew: false }
    : await destination.create({ audienceId: row.audienceId });
  if (!row.reference) await saveProgress(ctx, row, { reference });
  const sending = { row, destination, reference };
  const upload =
    resumableUpload(ctx, { row, destination, audience }) ?? (await begin(ctx, { ...sending, audience, first: isNew }));
  if (!upload) return releaseChannelAudience(ctx, row, { upload: abandon(row.upload), dueAt: laterCheck(ctx.clock()) });
  const sent = upload.phase === "processing" ? upload : await sendAll(ctx, { ...sending, upload, size: audience.size });
  const now = ctx.clock();
  // Stored before the channel is asked, which may fail: the batches are not sent again.
  if (sent !== upload) await saveProgress(ctx, row, { upload: sent });
  if (sent.phase !== "processing") return releaseChannelAudience(ctx, row, { upload: sent, dueAt: now });
  const { token, state } = await destination.finish({ reference, token: sent.token });
  if (state !== "done") {
    const dueAt = state === "continue" ? now : laterCheck(now);
    return releaseChannelAudience(ctx, row, { upload: { ...sent, token, after: null }, dueAt });
  }
  const { version, consent = null } = sent;
  const noFailure = { failures: 0, problem: null, lastError: null };
  // The audience may have changed during the upload, so it is due again at once.
  await releaseChannelAudience(ctx, row, { ...noFailure, version, consent, sentAt: now, upload: null, dueAt: now });
  await rescheduleActivations(ctx, row);
}

function laterCheck(now: Date): Date {
  return new Date(now.getTime() + processingCheckMs);
}

/** Marks an upload as one that a new upload replaces. */
export function abandon(upload: ChannelUpload | null): ChannelUpload | null {
  return upload && { ...upload, phase: "abandoned", after: null };
}

function resumableUpload(ctx: Ctx, { row: { upload }, destination, audience }: Work): ChannelUpload | undefined {
  if (!upload || upload.phase === "abandoned") return undefined;
  if (upload.phase === "processing") return upload;
  const isSame =
    upload.version === audience.version &&
    upload.generation === audience.generation &&
    isSameConsent(upload.consent ?? null, audience.consent);
  const age = ctx.clock().getTime() - Date.parse(upload.begunAt);
  return isSame && age < destination.uploadTtlMs ? upload : undefined;
}

async function begin(
  ctx: Ctx,
  { row, destination, reference, audience, first }: Sending & Work & { first: boolean },
): Promise<ChannelUpload | undefined> {
  const { version, generation, consent } = audience;
  const token = await destination.begin({ reference, first, consent, abandoned: row.upload?.token ?? null });
  if (token === undefined) return undefined;
  const upload: ChannelUpload = {
    token,
    first,
    version,
    generation,
    consent,
    sequence: 0,
    after: null,
    phase: "sending",
    begunAt: ctx.clock().toISOString(),
  };
  await saveProgress(ctx, row, { upload });
  return upload;
}

/**
 * Sends batches until the time is up. The upload is abandoned when the audience's blocks were replaced meanwhile, and
 * the last batch is then not sent, or when people were erased.
 */
async function sendAll(
  ctx: Ctx,
  { row, destination, reference, upload, size }: Sending & { upload: ChannelUpload; size: number },
): Promise<ChannelUpload> {
  const { audienceId } = row;
  const { family, takesAddresses, maxBatchSize } = destination;
  const members = await openMembers(ctx.db, audienceId, { withAddresses: takesAddresses });
  const abandoned = { ...upload, phase: "abandoned", after: null } as const;
  if (members?.generation !== upload.generation) return abandoned;
  const blocks = readDestinationMembers(ctx.db, members, {
    profile: family,
    after: upload.after,
    withAddresses: takesAddresses,
  });
  const end = Date.now() + runTimeMs;
  let now = upload;
  for await (const { members, last } of batchesOf(blocks, maxBatchSize)) {
    if (Date.now() > end || ctx.stopping?.aborted) return now;
    if (last && (await readGeneration(ctx, row)) !== upload.generation) return { ...abandoned, token: now.token };
    const { token, first } = now;
    const sequence = now.sequence + 1;
    const sentToken = await destination.send({ reference, token, first, sequence, last, total: size, members });
    now = { ...now, token: sentToken, sequence, after: members.at(-1)?.hash ?? now.after };
    const isSending = sql`${channelAudiences.upload} ->> 'phase' = 'sending'`;
    if (!(await saveIf(ctx, row, { upload: now }, isSending))) return { ...abandoned, token: now.token };
  }
  return { ...now, phase: "processing", after: null };
}

async function* batchesOf(
  blocks: AsyncIterable<DestinationMember[]>,
  inABatch: number,
): AsyncIterable<{ members: DestinationMember[]; last: boolean }> {
  let pending: DestinationMember[] = [];
  for await (const block of blocks) {
    pending.push(...block);
    // One member beyond the batch is read first, so that the last batch is recognized.
    while (pending.length > inABatch) {
      yield { members: pending.slice(0, inABatch), last: false };
      pending = pending.slice(inABatch);
    }
  }
  if (pending.length > 0) yield { members: pending, last: true };
}

type Progress = Partial<Pick<ChannelAudience, "reference" | "upload">>;

/** Stores progress and renews the lease. Throws a LeaseLostError. */
async function saveProgress(ctx: Ctx, row: ChannelAudience, progress: Progress): Promise<void> {
  if (!(await saveIf(ctx, row, progress))) throw new LeaseLostError();
}

/** The same where the row meets the condition. Returns false where it does not, or the lease was lost. */
async function saveIf(ctx: Ctx, row: ChannelAudience, progress: Progress, condition?: SQL): Promise<boolean> {
  const leasedUntil = leaseExpiry(ctx.clock());
  const saved = await ctx.db
    .update(channelAudiences)
    .set({ ...progress, leasedUntil })
    .where(and(holdsLease(row), condition))
    .returning({ audienceId: channelAudiences.audienceId });
  if (saved.length === 0) return false;
  row.leasedUntil = leasedUntil;
  return true;
}

async function readGeneration(ctx: Ctx, { audienceId }: ChannelAudience): Promise<number | undefined> {
  const [uploadRow] = await ctx.db
    .select({ generation: audiences.generation })
    .from(audiences)
    .where(eq(audiences.id, audienceId));
  return uploadRow?.generation;
}
