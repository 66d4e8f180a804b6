import type { PlanType } from "#app/domain/billing/plan.ts";
import { findFailedPlanPayment } from "#app/domain/billing/subscription/find-failed-plan-payment.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type PlanChangeId, parseId } from "#app/domain/ids.ts";

/**
 * Returns the payment that the page's URL names, with the message why it failed, for a form that is the next attempt.
 */
export async function findFailed(
  ctx: Ctx<PublisherActor>,
  { request, payFor }: { request: Request; payFor: PlanType | "renewal" },
): Promise<{ id: PlanChangeId; failure: string } | undefined> {
  const id = parseId<PlanChangeId>(new URL(request.url).searchParams.get("payment") ?? undefined);
  const failure = id && (await findFailedPlanPayment(ctx, { id, payFor }));
  return id && failure ? { id, failure } : undefined;
}
