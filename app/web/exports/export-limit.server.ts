import { consumeRateLimit } from "#app/domain/access/consume-rate-limit.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import type { RequestHead } from "#app/web/request-head.ts";

type FileLimit = { name: string; capacity: number; noun: string };
const exportLimit: FileLimit = { name: "export", capacity: 5, noun: "exports" };
const reportDocumentLimit: FileLimit = { name: "report-document", capacity: 20, noun: "PDFs of reports" };

/**
 * Limits exports of whole tables to five per hour and account. HEAD makes no file and is free. Throws `rate_limited`.
 */
export async function consumeExportLimit(ctx: Ctx<TenantActor>, request: Pick<RequestHead, "method">): Promise<void> {
  await consumeFileLimit(ctx, request, exportLimit);
}

/**
 * Limits PDFs of sent reports, which may sum as much delivery as an export but are short, to 20 per hour and account.
 * HEAD is free. Throws `rate_limited`.
 */
export async function consumeReportDocumentLimit(
  ctx: Ctx<TenantActor>,
  request: Pick<RequestHead, "method">,
): Promise<void> {
  await consumeFileLimit(ctx, request, reportDocumentLimit);
}

async function consumeFileLimit(
  ctx: Ctx<TenantActor>,
  { method }: Pick<RequestHead, "method">,
  { name, capacity, noun }: FileLimit,
): Promise<void> {
  if (!env().rateLimits || method === "HEAD") return;
  const bucket = `${name}:${ctx.actor.accountId}`;
  await consumeRateLimit(ctx, { bucket, capacity, seconds: 3_600 }).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== "rate_limited") throw error;
    const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60);
    const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
    throw new DomainError(
      "rate_limited",
      `You've reached the limit of ${capacity} ${noun} per hour. Try again in ${wait}.`,
      error,
    );
  });
}
