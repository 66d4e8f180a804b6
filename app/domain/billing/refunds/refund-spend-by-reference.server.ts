import { z } from "zod";
import type { Ctx, OperatorActor } from "#app/domain/context.ts";
import { withIdempotencyKey } from "#app/domain/idempotency/with-idempotency-key.server.ts";
import type { LineItemId } from "#app/domain/ids.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { refundSpend } from "./refund-spend.server.ts";

const storedSchema = z.object({
  id: z.string(),
  earnings: z.int().transform(asCents),
  fee: z.int().transform(asCents),
});

/**
 * Refunds spend once per reference of the operator, such as a ticket number. Throws what a refund throws, and
 * `idempotency_conflict` when the reference was used for a different refund.
 */
export async function refundSpendByReference(
  ctx: Ctx<OperatorActor>,
  { reference, lineItemId, amount }: { reference: string; lineItemId: LineItemId; amount: Cents },
): Promise<{ id: string; earnings: Cents; fee: Cents; replayed: boolean }> {
  const request = { caller: "refund", key: reference, requestFingerprint: `${lineItemId} ${amount}`, movesMoney: true };
  const { body, replayed } = await withIdempotencyKey(ctx, request, async (inside) => {
    const { id, earnings, fee } = await refundSpend(inside, { lineItemId, amount });
    return { status: 201, body: JSON.stringify({ id, earnings, fee }) };
  });
  return { ...storedSchema.parse(JSON.parse(body)), replayed };
}
