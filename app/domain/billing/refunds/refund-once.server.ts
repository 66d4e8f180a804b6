import { z } from "zod";
import type { Ctx, OperatorActor } from "../../context.ts";
import { doOnce } from "../../idempotency/do-once.server.ts";
import type { LineItemId } from "../../ids.ts";
import { type Cents, toCents } from "../../money.ts";
import { refundSpend } from "./refund-spend.server.ts";

const keptSchema = z.object({ id: z.string(), earnings: z.int().transform(toCents), fee: z.int().transform(toCents) });

/**
 * A refund under a reference of the operator's, such as a ticket's number: once, however often it is asked for. Throws what a
 * refund throws, and `idempotency_conflict` when the reference was used for another one.
 */
export async function refundOnce(
  ctx: Ctx<OperatorActor>,
  { reference, lineItemId, amount }: { reference: string; lineItemId: LineItemId; amount: Cents },
): Promise<{ id: string; earnings: Cents; fee: Cents; isRepeated: boolean }> {
  const once = { caller: "refund", key: reference, request: `${lineItemId} ${amount}`, movesMoney: true };
  const { body, replayed } = await doOnce(ctx, once, async (inside) => {
    const { id, earnings, fee } = await refundSpend(inside, { lineItemId, amount });
    return { status: 201, body: JSON.stringify({ id, earnings, fee }) };
  });
  return { ...keptSchema.parse(JSON.parse(body)), isRepeated: replayed };
}
