import { createHash, randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import {
  type Charge,
  type ChargeRequest,
  type PaymentProvider,
  PaymentProviderError,
} from "#app/payments/payment-provider.ts";
import { sandboxPages, sandboxPayments, sandboxRefunds } from "#db/schema/index.ts";
import type { VisitorCtx } from "../../context.ts";
import { isSandboxToken, sandboxBehaviour, sandboxCards } from "./sandbox-cards.ts";

type SandboxCtx = Pick<VisitorCtx, "db" | "clock">;
type PaymentRow = typeof sandboxPayments.$inferSelect;

/**
 * Stands for a provider of payments: no net, no key, no money. Its memory is tables of its own, so that nothing is lost when
 * the process ends; what it does depends on the card alone (docs/decisions/0026). Its pages are ours, at `/dev/payments`.
 */
export function sandboxProvider(ctx: SandboxCtx): PaymentProvider {
  return {
    name: "sandbox",
    beginMethod: async (page) => {
      const reference = `page_${randomBytes(18).toString("base64url")}`;
      await ctx.db.insert(sandboxPages).values({ id: reference, ...page, createdAt: ctx.clock() });
      return { reference, url: `/dev/payments/cards/${reference}` };
    },
    readMethod: (input) => readMethod(ctx, input),
    forgetMethod: async () => {},
    charge: (request) => charge(ctx, request),
    readCharge: async (id) => chargeOf(await getPayment(ctx, id)),
    cancelCharge: async (id) => chargeOf(await endPayment(ctx, { id, confirmed: false })),
    refund: (input) => refund(ctx, input),
  };
}

/** What the person chose on a page; a card's token stands for the card. */
async function readMethod(ctx: SandboxCtx, { reference, owner }: { reference: string; owner: string }) {
  const token = isSandboxToken(reference) ? reference : await chosenCard(ctx, { reference, owner });
  if (!token) return undefined;
  const { brand, lastFour, expiresMonth, expiresYear } = sandboxCards[token];
  return { token, brand, lastFour, type: "card" as const, expiresMonth, expiresYear };
}

async function chosenCard(ctx: SandboxCtx, { reference, owner }: { reference: string; owner: string }) {
  const [page] = await ctx.db.select().from(sandboxPages).where(eq(sandboxPages.id, reference));
  return page?.owner === owner ? page.card : null;
}

async function charge(ctx: SandboxCtx, request: ChargeRequest): Promise<Charge> {
  const { key, amount, token, description, returnPath } = request;
  if (!isSandboxToken(token)) throw new PaymentProviderError(new Error("no card of the sandbox"));
  const requestHash = hashOf(JSON.stringify([amount, token, description]));
  const behaviour = sandboxBehaviour(token);
  const state = ({ succeed: "succeeded", ask: "needs_confirmation", decline: "declined" } as const)[behaviour.does];
  const reason = behaviour.does === "decline" ? behaviour.reason : null;
  const row = {
    id: `pay_${hashOf(key).slice(0, 32)}`,
    key,
    requestHash,
    amountCents: amount,
    description,
    card: token,
  };
  await ctx.db
    .insert(sandboxPayments)
    .values({ ...row, state, reason, returnPath, createdAt: ctx.clock() })
    // The name is made of the key, so that whoever is quicker by an instant may be seen by either.
    .onConflictDoNothing();
  const [payment] = await ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.key, key));
  if (payment?.requestHash !== requestHash) {
    throw new PaymentProviderError(new Error("this key was used for another charge"));
  }
  return chargeOf(payment);
}

function chargeOf({ id, state, reason }: PaymentRow): Charge {
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

/** What the person said on the page of a payment that needs confirmation. Said already: as it was said first. */
export async function endPayment(
  ctx: SandboxCtx,
  { id, confirmed }: { id: string; confirmed: boolean },
): Promise<PaymentRow> {
  await ctx.db
    .update(sandboxPayments)
    .set({
      state: confirmed ? "succeeded" : "declined",
      reason: confirmed ? null : "The payment was not confirmed. Nothing was charged.",
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
    if (payment?.state !== "succeeded") return { state: "refused", reason: "There is no such payment to give back" };
    const refunds = await tx.select().from(sandboxRefunds).where(eq(sandboxRefunds.paymentId, paymentId));
    const before = refunds.find((one) => one.key === key);
    if (before && before.amountCents !== amount) throw new PaymentProviderError(new Error("another refund's key"));
    const given = refunds.reduce((sum, one) => sum + one.amountCents, 0);
    if (!before && given + amount > payment.amountCents) {
      return { state: "refused", reason: "This is more than is left of the payment" };
    }
    if (!before) await tx.insert(sandboxRefunds).values({ key, paymentId, amountCents: amount });
    return { state: "succeeded", refundId: `refund_${hashOf(key).slice(0, 32)}` };
  });
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
