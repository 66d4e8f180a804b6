import { eq } from "drizzle-orm";
import type { VisitorCtx } from "#app/domain/context.ts";
import { notFound } from "#app/domain/errors.ts";
import { asCents, type Cents } from "#app/domain/money.ts";
import { activePaymentProvider } from "#app/domain/payments/payment-provider-name.server.ts";
import { setupReturnUrl } from "#app/domain/payments/setup-return-url.ts";
import { sandboxPayments, sandboxSetupSessions } from "#db/schema/index.ts";
import { type SandboxToken, sandboxCards } from "./sandbox-cards.ts";
import { resolveSandboxPayment } from "./sandbox-provider.server.ts";

/**
 * The context of the sandbox's own pages. The functions throw `not_found` for an unknown ID, and where another provider
 * takes the payments.
 */
type PageCtx = Pick<VisitorCtx, "db" | "clock">;

export async function getCardPage(ctx: PageCtx, id: string): Promise<{ cancelPath: string }> {
  const [page] = await ctx.db.select().from(sandboxSetupSessions).where(eq(sandboxSetupSessions.id, id));
  if (!page || activePaymentProvider() !== "sandbox") throw notFound("Page");
  return { cancelPath: page.cancelPath };
}

/** Stores the card that the user chose. Returns the path to return to, with the session's reference. */
export async function chooseCard(ctx: PageCtx, { id, card }: { id: string; card: SandboxToken }): Promise<string> {
  await getCardPage(ctx, id);
  const [page] = await ctx.db
    .update(sandboxSetupSessions)
    .set({ card })
    .where(eq(sandboxSetupSessions.id, id))
    .returning();
  if (!page) throw notFound("Page");
  return setupReturnUrl(page.returnPath, page.id);
}

type PaymentToConfirm = {
  amount: Cents;
  description: string;
  card: { brand: string; lastFour: string };
  isOpen: boolean;
  returnPath: string;
};

export async function getPaymentToConfirm(ctx: PageCtx, id: string): Promise<PaymentToConfirm> {
  const [payment] = await ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, id));
  if (!payment || activePaymentProvider() !== "sandbox") throw notFound("Payment");
  const { amountCents, description, state, returnPath } = payment;
  const { brand, lastFour } = sandboxCards[payment.card];
  const isOpen = state === "needs_confirmation";
  return { amount: asCents(amountCents), description, card: { brand, lastFour }, isOpen, returnPath };
}

/** Confirms or declines a payment. Returns the path to return to. */
export async function resolvePaymentConfirmation(
  ctx: PageCtx,
  confirmation: { id: string; confirmed: boolean },
): Promise<string> {
  await getPaymentToConfirm(ctx, confirmation.id);
  return (await resolveSandboxPayment(ctx, confirmation)).returnPath;
}
