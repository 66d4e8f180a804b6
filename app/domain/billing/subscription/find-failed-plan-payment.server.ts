import { and, eq, inArray, ne } from "drizzle-orm";
import { planChanges } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";
import type { PlanType } from "../plan.ts";
import { notCompletedMessage } from "../wallet/top-up.ts";

/**
 * Returns the message why the publisher's payment for a plan, or for the renewal of its plan, failed; undefined if
 * there is no such payment or it has not failed.
 */
export async function findFailedPlanPayment(
  ctx: Ctx<PublisherActor>,
  { id, payFor }: { id: PlanChangeId; payFor: PlanType | "renewal" },
): Promise<string | undefined> {
  const isFor =
    payFor === "renewal"
      ? eq(planChanges.kind, "renewal")
      : and(ne(planChanges.kind, "renewal"), eq(planChanges.planType, payFor));
  const isOwn = and(eq(planChanges.id, id), eq(planChanges.accountId, ctx.actor.accountId), isFor);
  const [row] = await ctx.db
    .select({ failure: planChanges.failure })
    .from(planChanges)
    .where(and(isOwn, inArray(planChanges.status, ["failed", "canceled"])));
  return row && (row.failure ?? notCompletedMessage);
}
