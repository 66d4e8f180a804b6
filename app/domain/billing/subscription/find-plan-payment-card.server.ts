import { and, eq } from "drizzle-orm";
import { paymentMethods, planChanges } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { PlanChangeId } from "../../ids.ts";
import { methodName } from "../payment-methods/payment-method.ts";

/**
 * Returns the name of the card that a plan's payment charges, also of one that was removed; undefined if there is none.
 */
export async function findPlanPaymentCard(
  ctx: Ctx<PublisherActor>,
  { id }: { id: PlanChangeId },
): Promise<string | undefined> {
  const [row] = await ctx.db
    .select({ brand: paymentMethods.brand, lastFour: paymentMethods.lastFour })
    .from(planChanges)
    .innerJoin(paymentMethods, eq(paymentMethods.id, planChanges.paymentMethodId))
    .where(and(eq(planChanges.id, id), eq(planChanges.accountId, ctx.actor.accountId)));
  return row && methodName(row);
}
