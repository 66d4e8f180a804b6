import { setTimeout as sleep } from "node:timers/promises";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type AudienceId, parseId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import type { ReachResult } from "./reach-result.ts";

/** How long, in milliseconds, a page waits for the estimate. A slower estimate is available on the next request. */
const responseWaitMs = 1_500;
const maxAudiences = 100;

/** Loads the estimated reach of selected audiences. Never throws for an invalid selection. */
export async function loadReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  audienceIds: readonly AudienceId[],
): Promise<ReachResult> {
  const waited = sleep(responseWaitMs).then((): ReachResult => ({ ids: [...audienceIds] }));
  return Promise.race([reachResponse(ctx, audienceIds), waited]);
}

/** Loads the estimated reach of the audiences selected in a form. */
export async function loadReachForForm(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  form: FormData,
): Promise<ReachResult> {
  return loadReach(ctx, idsOf(form.getAll("selected_audiences")));
}

/** Returns the estimated reach for `?audience=ID&audience=ID`, which a script requests while the user selects. */
export async function loadReachForQuery(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  request: Request,
): Promise<ReachResult> {
  return reachResponse(ctx, idsOf(new URL(request.url).searchParams.getAll("audience")));
}

function idsOf(sent: readonly unknown[]): AudienceId[] {
  return sent.slice(0, maxAudiences).flatMap((id) => (typeof id === "string" ? (parseId<AudienceId>(id) ?? []) : []));
}

async function reachResponse(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  audienceIds: readonly AudienceId[],
): Promise<ReachResult> {
  const ids = [...audienceIds];
  if (ids.length === 0) return { ids };
  try {
    return { ids, reach: await estimateReach(ctx, { audienceIds }) };
  } catch (error) {
    if (!(error instanceof DomainError)) reportError(ctx, error, { work: "estimate_reach", count: ids.length });
    const message = error instanceof DomainError ? (error.fields?.audiences?.[0] ?? error.message) : undefined;
    return { ids, problem: message ?? "The estimate is unavailable right now. Try again in a minute." };
  }
}
