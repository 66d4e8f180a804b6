import { takeToken } from "#app/domain/access/take-token.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";

/** An account may take whole tables out five times an hour. Throws `rate_limited`. */
export async function takeExport(ctx: Ctx<TenantActor>): Promise<void> {
  if (!env().rateLimits) return;
  const allowance = { bucket: `export:${ctx.actor.accountId}`, capacity: 5, seconds: 3_600 };
  await takeToken(ctx, allowance).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
    throw new DomainError("rate_limited", `Five exports an hour are possible. The next one is in ${wait}.`, error);
  });
}
