import { lt, or } from "drizzle-orm";
import { rateLimits, sessions, signInAttempts, signInDevices } from "#db/schema/index.ts";
import type { Ctx, JobActor } from "../context.ts";
import { deviceLife } from "./device.ts";
import { sessionIdle } from "./session.ts";

const day = 24 * 60 * 60 * 1000;

/** Deletes what no longer counts: ended sessions, and attempts and rate limits of yesterday, browsers not used for long. Answers how many rows. */
export async function forgetSignIns(ctx: Ctx<JobActor>): Promise<number> {
  const now = ctx.clock();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const gone = [
    await ctx.db.delete(sessions).where(or(lt(sessions.expiresAt, now), lt(sessions.lastSeenAt, before(sessionIdle)))),
    await ctx.db.delete(signInAttempts).where(lt(signInAttempts.createdAt, before(day))),
    await ctx.db.delete(signInDevices).where(lt(signInDevices.lastUsedAt, before(deviceLife))),
    await ctx.db.delete(rateLimits).where(lt(rateLimits.refilledAt, before(day))),
  ];
  return gone.reduce((sum, result) => sum + result.count, 0);
}
