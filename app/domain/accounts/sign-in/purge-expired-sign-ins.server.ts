import { lt, or } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import { deleteInBatches } from "#app/domain/delete-in-batches.server.ts";
import { rateLimits, sessions, signInAttempts, signInDevices } from "#db/schema/index.ts";
import { deviceTtlMs } from "./device.ts";
import { sessionIdleTimeoutMs } from "./session.ts";

const day = 24 * 60 * 60 * 1000;

/**
 * Deletes expired sessions, sign-in attempts and rate limits older than a day, and devices that were not used for long.
 * Returns the number of deleted rows.
 */
export async function purgeExpiredSignIns(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const isOver = or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, before(sessionIdleTimeoutMs)));
  return (
    (await deleteInBatches(ctx, sessions, isOver)) +
    (await deleteInBatches(ctx, signInAttempts, lt(signInAttempts.createdAt, before(day)))) +
    (await deleteInBatches(ctx, signInDevices, lt(signInDevices.lastUsedAt, before(deviceTtlMs)))) +
    (await deleteInBatches(ctx, rateLimits, lt(rateLimits.refilledAt, before(day))))
  );
}
