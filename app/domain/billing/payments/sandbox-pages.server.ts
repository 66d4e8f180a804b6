import { eq } from "drizzle-orm";
import { paymentsBy } from "#app/payments/payments-by.server.ts";
import { sandboxPages, sandboxPayments } from "#db/schema/index.ts";
import type { VisitorCtx } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { type Cents, toCents } from "../../money.ts";
import type { SandboxToken } from "./sandbox-cards.ts";
import { endPayment } from "./sandbox-provider.server.ts";

/** What the sandbox's own pages read and write. Throws `not_found` for what is not there, and where another provider takes money. */
type PageCtx = Pick<VisitorCtx, "db" | "clock">;

export async function getCardPage(ctx: PageCtx, id: string): Promise<{ cancelPath: string }> {
  const [page] = await ctx.db.select().from(sandboxPages).where(eq(sandboxPages.id, id));
  if (!page || paymentsBy() !== "sandbox") throw notFound("Page");
  return { cancelPath: page.cancelPath };
}

/** The person chose a card. Gives the way back, which names the visit. */
export async function chooseCard(ctx: PageCtx, { id, card }: { id: string; card: SandboxToken }): Promise<string> {
  await getCardPage(ctx, id);
  const [page] = await ctx.db.update(sandboxPages).set({ card }).where(eq(sandboxPages.id, id)).returning();
  if (!page) throw notFound("Page");
  return `${page.returnPath}?setup=${page.id}`;
}

type AskedPayment = { amount: Cents; description: string; isOpen: boolean; returnPath: string };

export async function getAskedPayment(ctx: PageCtx, id: string): Promise<AskedPayment> {
  const [payment] = await ctx.db.select().from(sandboxPayments).where(eq(sandboxPayments.id, id));
  if (!payment || paymentsBy() !== "sandbox") throw notFound("Payment");
  const { amountCents, description, state, returnPath } = payment;
  return { amount: toCents(amountCents), description, isOpen: state === "needs_confirmation", returnPath };
}

/** The person said yes or no. Gives the way back. */
export async function answerPayment(ctx: PageCtx, answer: { id: string; confirmed: boolean }): Promise<string> {
  await getAskedPayment(ctx, answer.id);
  return (await endPayment(ctx, answer)).returnPath;
}
