import { and, eq, sql } from "drizzle-orm";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { PlanChangeId, TopUpId } from "#app/domain/ids.ts";
import { planChanges, topUps } from "#db/schema/index.ts";

type Payment = { kind: "top_up"; id: TopUpId } | { kind: "plan_change"; id: PlanChangeId };

/**
 * Stores the first response, as JSON, to the request that created the account's payment, and returns the stored one: a
 * repeated request gets that response forever, even when the balance or the plan has changed since.
 */
export async function storeFirstResponse(
  ctx: Ctx<TenantActor>,
  { payment: { kind, id }, response }: { payment: Payment; response: string },
): Promise<string> {
  const table = kind === "top_up" ? topUps : planChanges;
  const [row] = await ctx.db
    .update(table)
    .set({ response: sql`coalesce(${table.response}, ${response})` })
    .where(and(eq(sql`${table.id}`, id), eq(table.accountId, ctx.actor.accountId)))
    .returning({ response: table.response });
  return row?.response ?? response;
}
