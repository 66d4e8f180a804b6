import { createHash, randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { VisitorCtx } from "#app/domain/context.ts";
import {
  type Charge,
  type ChargeRequest,
  type PaymentProvider,
  PaymentProviderError,
} from "#app/domain/payments/payment-provider.ts";
import { sandboxPayments, sandboxRefunds, sandboxSetupSessions } from "#db/schema/index.ts";
import { isSandboxToken, sandboxBehavior, sandboxCards } from "./sandbox-cards.ts";

type SandboxCtx = Pick<VisitorCtx, "db" | "clock">;
type PaymentRow = typeof sandboxPayments.$inferSelect;

/**
 * A simulated payment provider without network, keys or money. Its state is in tables of its own, so that it survives a
 * restart, and outcomes depend only on the card (docs/decisions/0026). Its pages are part of this app, at
 * `/dev/payments`.
 */
export function sandboxProvider(ctx: SandboxCtx): PaymentProvider {
  return {
    name: "sandbox",
    createSetupSession: async (page) => {
      const reference = `page_${randomBytes(18).toString("base64url")}`;
      await ctx.db.insert(sandboxSetupSessions).values({ id: reference, ...page, createdAt: ctx.clock() });
      return { reference, url: `/dev/payments/cards/${reference}` };
    },
    readMethod: (input) => readMethod(ctx, input),
    detachMethod: async () => {},
    charge: (request) => charge(ctx, request),
    readCharge: async (id) => toCharge(await getPayment(ctx, id)),
    cancelCharge: async (id) => toCharge(await resolveSandboxPayment(ctx, { id, confirmed: false })),
    refund: (input) => refund(ctx, input),
  };
}

/** Returns the card that the user chose on a page; a card token returns its card. */
async function readMethod(ctx: SandboxCtx, { reference, owner }: { reference: string; owner: string }) {
  const token = isSandboxToken(reference) ? reference : await findChosenCard(ctx, { reference, owner });
  if (!token) return undefined;
  const { brand, lastFour, expiresMonth, expiresYear } = sandboxCards[token];
  return { token, brand, lastFour, type: "card" as const, expiresMonth, expiresYear };
}

async function findChosenCard(ctx: SandboxCtx, { reference, owner }: { reference: string; owner: string }) {
  const [page] = await ctx.db.select().from(sandboxSetupSessions).where(eq(sandboxSetupSessions.id, reference));
  return page?.owner === owner ? page.card : null;
}

async function charge(ctx: SandboxCtx, request: ChargeRequest): Promise<Charge> {
  const { key, amount, token, description, returnPath } = request;
  if (!isSandboxToken(token)) throw new PaymentProviderError(new Error("no card of the sandbox"));
  const requestHash = sha256(JSON.stringify([amount, token, description]));
  const behavior = sandboxBehavior(token);
  const state = ({ succeed: "succeeded", ask: "needs_confirmation", decline: "declined" } as const)[behavior.does];
  const reason = behavior.does === "decline" ? behavior.reason : null;
  const row = {
    id: `pay_${sha256(key).slice(0, 32)}`,
    key,
    requestHash,
    amountCents: amount,
    description,
    card: token,
  };
  await ctx.db
    .insert(sandboxPayments)
    .values({ ...row, state, reason, returnPath, createdAt: ctx.clock() })
    // The ID is derived from the key, so that concurrent requests with the same key see the same payment.
    .onConflictDoNothing();
  const [payment] = await ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.key, key));
  if (payment?.requestHash !== requestHash) {
    throw new PaymentProviderError(new Error("this key was used for another charge"));
  }
  return toCharge(payment);
}

function toCharge({ id, state, reason }: PaymentRow): Charge {
  switch (state) {
    case "succeeded":
      return { state, paymentId: id };
    case "declined":
      return { state, paymentId: id, reason: reason ?? "" };
    case "needs_confirmation":
      return { state, paymentId: id, url: `/dev/payments/confirm/${id}` };
  }
}

async function getPayment(ctx: SandboxCtx, id: string): Promise<PaymentRow> {
  const [payment] = await ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, id));
  if (!payment) throw new PaymentProviderError(new Error("no such payment"));
  return payment;
}

/** Confirms or declines a payment that needs confirmation. A second call changes nothing. */
export async function resolveSandboxPayment(
  ctx: SandboxCtx,
  { id, confirmed }: { id: string; confirmed: boolean },
): Promise<PaymentRow> {
  await ctx.db
    .update(sandboxPayments)
    .set({
      state: confirmed ? "succeeded" : "declined",
      reason: confirmed ? null : "The payment was not confirmed. You were not charged.",
    })
    .where(sql`${sandboxPayments.id} = ${id} and ${sandboxPayments.state} = 'needs_confirmation'`);
  return getPayment(ctx, id);
}

async function refund(
  ctx: SandboxCtx,
  { key, paymentId, amount }: { key: string; paymentId: string; amount: number },
): ReturnType<PaymentProvider["refund"]> {
  return ctx.db.transaction(async (tx) => {
    const [payment] = await tx.select().from(sandboxPayments).where(eq(sandboxPayments.id, paymentId)).for("update");
    if (payment?.state !== "succeeded")
      return { state: "refused", reason: "This payment does not exist, so it can't be refunded" };
    const refunds = await tx.select().from(sandboxRefunds).where(eq(sandboxRefunds.paymentId, paymentId));
    const existing = refunds.find((one) => one.key === key);
    if (existing && existing.amountCents !== amount) throw new PaymentProviderError(new Error("another refund's key"));
    const refundedCents = refunds.reduce((sum, one) => sum + one.amountCents, 0);
    if (!existing && refundedCents + amount > payment.amountCents) {
      return { state: "refused", reason: "This is more than the refundable amount" };
    }
    if (!existing) await tx.insert(sandboxRefunds).values({ key, paymentId, amountCents: amount });
    return { state: "succeeded", refundId: `refund_${sha256(key).slice(0, 32)}` };
  });
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
