import { setTimeout as sleep } from "node:timers/promises";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import type { AdvertiserActor, Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type AudienceId, parseId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import type { ReachAnswer } from "./reach-answer.ts";

/** How long a page waits for the estimate in it; what takes longer is there when it is asked for again. In milliseconds. */
const patience = 1_500;
const most = 100;

/** The estimated reach of a choice of audiences, to show in a page: never throws for what somebody chose. */
export async function loadReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  audienceIds: readonly AudienceId[],
): Promise<ReachAnswer> {
  const waited = sleep(patience).then((): ReachAnswer => ({ ids: [...audienceIds] }));
  return Promise.race([answerReach(ctx, audienceIds), waited]);
}

/** The same for what is ticked in a form. */
export async function loadReachOfForm(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  form: FormData,
): Promise<ReachAnswer> {
  return loadReach(ctx, idsOf(form.getAll("selected_audiences")));
}

/** What a script asks for while one chooses: `?audience=ID&audience=ID`. */
export async function answerReachQuery(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  request: Request,
): Promise<ReachAnswer> {
  return answerReach(ctx, idsOf(new URL(request.url).searchParams.getAll("audience")));
}

function idsOf(sent: readonly unknown[]): AudienceId[] {
  return sent.slice(0, most).flatMap((id) => (typeof id === "string" ? (parseId<AudienceId>(id) ?? []) : []));
}

async function answerReach(
  ctx: Ctx<AdvertiserActor | PublisherActor>,
  audienceIds: readonly AudienceId[],
): Promise<ReachAnswer> {
  const ids = [...audienceIds];
  if (ids.length === 0) return { ids };
  try {
    return { ids, reach: await estimateReach(ctx, { audienceIds }) };
  } catch (error) {
    if (!(error instanceof DomainError)) reportError(ctx, error, { work: "estimate_reach", count: ids.length });
    const words = error instanceof DomainError ? (error.fields?.audiences?.[0] ?? error.message) : undefined;
    return { ids, problem: words ?? "The estimate is not available now" };
  }
}
