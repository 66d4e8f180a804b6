import { eq, sql } from "drizzle-orm";
import { audiences, audienceVersions } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import { type ChangeSource, defaultCpmCents, minimumAudienceSize, statusForSize, type UploadMode } from "./audience.ts";
import { type Generations, toStoredPlace } from "./members/deltas.ts";
import { ruleSetVersions } from "./rule-sets.ts";
import { notifyBelowMinimum } from "./uploads/notify-upload.server.ts";

type Place = Omit<Generations, "audienceId">;

/**
 * Creates the next version of an audience, whose members are in these generations now, and records the audit entry. The
 * publisher is notified when the audience has too few people for campaigns since. The caller has locked the audience.
 */
export async function recordAudienceVersion(
  ctx: Ctx<PublisherActor>,
  change: {
    audience: { id: AudienceId; size: number; version: number; status: string };
    place: Place;
    size: number;
    peopleAdded: number;
    peopleRemoved: number;
    source: Exclude<ChangeSource, "upload">;
  },
): Promise<void> {
  const { audience, place, size, peopleAdded, peopleRemoved, source } = change;
  const number = audience.version + 1;
  const isArchived = audience.status === "archived";
  await ctx.db
    .update(audiences)
    .set({ refreshedAt: ctx.clock(), ...versionColumns({ version: number, place, size, isArchived }) })
    .where(eq(audiences.id, audience.id));
  const people = { peopleAdded: Math.max(0, peopleAdded), peopleRemoved: Math.max(0, peopleRemoved) };
  await insertVersion(ctx, { audienceId: audience.id, number, source, ...people, before: audience.size, size });
  if (!isArchived && audience.size >= minimumAudienceSize && size < minimumAudienceSize)
    await notifyBelowMinimum(ctx, { audienceId: audience.id, version: number, size });
}

/** The columns that a version changes in the row of its audience. An archived one stays as usable as it was. */
export function versionColumns({
  version,
  place,
  size,
  isArchived = false,
}: {
  version: number;
  place: Place;
  size: number;
  isArchived?: boolean;
}) {
  const usable = { status: statusForSize(size), cpmCents: sql`coalesce(${audiences.cpmCents}, ${defaultCpmCents})` };
  return {
    version,
    ...toStoredPlace({ ...place, deltas: place.deltas && { ...place.deltas, version } }),
    size,
    ...(isArchived ? {} : usable),
  };
}

type NewVersion = {
  audienceId: AudienceId;
  number: number;
  source: ChangeSource;
  /** Of an upload. */
  mode?: UploadMode;
  uploadId?: UploadId;
  peopleAdded: number;
  peopleRemoved: number;
  /** The size of the version before. */
  before: number;
  size: number;
};

const actions: Record<ChangeSource, string> = {
  upload: "audience.uploaded",
  members: "audience.members_changed",
  erasure: "audience.erased",
};

/** Inserts the row of a version and its audit entry. */
export async function insertVersion(ctx: Ctx<PublisherActor>, { before, ...version }: NewVersion): Promise<void> {
  const { audienceId, source, mode, size } = version;
  await ctx.db.insert(audienceVersions).values({
    ...version,
    publisherId: ctx.actor.accountId,
    ruleSets: ruleSetVersions,
    createdAt: ctx.clock(),
    createdBy: ctx.actor.userId,
  });
  await recordAudit(ctx, {
    action: actions[source],
    entity: "audience",
    entityId: audienceId,
    before: { size: before },
    after: { size, ...(mode && { mode }) },
  });
}
