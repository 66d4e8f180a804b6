import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import type { RequestHead } from "#app/web/request-head.ts";

/**
 * Limits exports of whole tables to five per hour and account. HEAD makes no file and is free. Throws `rate_limited`.
 */
export async function consumeExportLimit(
  ctx: Ctx<TenantActor>,
  { method }: Pick<RequestHead, "method">,
): Promise<void> {
  if (!env().rateLimits || method === "HEAD") return;
  const allowance = { bucket: `export:${ctx.actor.accountId}`, capacity: 5, seconds: 3_600 };
  await consumeRateLimit(ctx, allowance).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
    throw new DomainError(
      "rate_limited",
      `You've reached the limit of 5 exports per hour. Try again in ${wait}.`,
      error,
    );
  });
}
