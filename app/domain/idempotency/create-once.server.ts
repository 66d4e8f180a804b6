import { z } from "zod";
import type { Ctx, TenantActor } from "../context.ts";
import { doOnce } from "./do-once.server.ts";

const keptSchema = z.object({ id: z.string() });

/**
 * For forms: makes a thing once for the key in the form's hidden field `idempotency_key`, however often the form is sent.
 * `values` is what was sent. A repetition gets the id that the first one made; without a usable key it is simply made.
 * Throws what `create` throws, and `idempotency_conflict` when the same form comes with other values.
 */
export async function createOnce<A extends TenantActor>(
  ctx: Ctx<A>,
  form: { key: string | undefined; values: unknown; movesMoney?: boolean },
  create: (ctx: Ctx<A>) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  if (!form.key || !/^[\w-]{8,200}$/.test(form.key)) return create(ctx);
  const { key, values, movesMoney } = form;
  const once = { caller: `form:${ctx.actor.accountId}`, key, request: JSON.stringify(values), movesMoney };
  const made = await doOnce(ctx, once, async (inside) => {
    const { id } = await create(inside);
    return { status: 201, body: JSON.stringify({ id }) };
  });
  return keptSchema.parse(JSON.parse(made.body));
}
