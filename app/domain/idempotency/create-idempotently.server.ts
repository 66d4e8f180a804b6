import { z } from "zod";
import type { Ctx, TenantActor } from "../context.ts";
import { inCreationTurn, type LimitedKind } from "../lock-creation.server.ts";
import { withIdempotencyKey } from "./with-idempotency-key.server.ts";

const storedSchema = z.object({ id: z.string() });

/**
 * Creates something once per key in the form's hidden field `idempotency_key`, however often the form is submitted.
 * `values` are the submitted values, `deadlineMs` is the deadline of the transaction, if above the default, and `kind`
 * is what is created, if an account has a limited number of it. A repetition gets the ID that the first submission
 * created; without a valid key the thing is created without protection. Throws what `create` throws, and
 * `idempotency_conflict` when the key is used with other values.
 */
export async function createIdempotently<A extends TenantActor>(
  ctx: Ctx<A>,
  form: { key: string | undefined; values: unknown; movesMoney?: boolean; deadlineMs?: number; kind?: LimitedKind },
  create: (ctx: Ctx<A>) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  return inCreationTurn(ctx, form.kind, () => createOnce(ctx, form, create));
}

async function createOnce<A extends TenantActor>(
  ctx: Ctx<A>,
  form: { key: string | undefined; values: unknown; movesMoney?: boolean; deadlineMs?: number },
  create: (ctx: Ctx<A>) => Promise<{ id: string }>,
): Promise<{ id: string }> {
  if (!form.key || !/^[\w-]{8,200}$/.test(form.key)) return create(ctx);
  const { key, values, movesMoney, deadlineMs } = form;
  const request = {
    caller: `form:${ctx.actor.accountId}`,
    key,
    requestFingerprint: JSON.stringify(values),
    movesMoney,
    deadlineMs,
  };
  const response = await withIdempotencyKey(ctx, request, async (inside) => {
    const { id } = await create(inside);
    return { status: 201, body: JSON.stringify({ id }) };
  });
  return storedSchema.parse(JSON.parse(response.body));
}
