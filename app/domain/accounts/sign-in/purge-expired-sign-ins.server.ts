import { lt, or } from "drizzle-orm";
import type { Ctx, JobActor } from "#app/domain/context.ts";
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
  const deletions = [
    await ctx.db
      .delete(sessions)
      .where(or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, before(sessionIdleTimeoutMs)))),
    await ctx.db.delete(signInAttempts).where(lt(signInAttempts.createdAt, before(day))),
    await ctx.db.delete(signInDevices).where(lt(signInDevices.lastUsedAt, before(deviceTtlMs))),
    await ctx.db.delete(rateLimits).where(lt(rateLimits.refilledAt, before(day))),
  ];
  return deletions.reduce((sum, result) => sum + result.count, 0);
}
