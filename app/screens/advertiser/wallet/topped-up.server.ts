import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { type Cents, formatCents, toCents } from "#app/domain/money.ts";

/** What is said after a top-up: it pays what is owed first. */
export async function toppedUp(ctx: Ctx<AdvertiserActor>, amount: Cents): Promise<string> {
  const { balance } = await getWallet(ctx);
  if (balance < 0) {
    return `${formatCents(amount)} came in and pays what you owe. ${formatCents(toCents(-balance))} is left to pay.`;
  }
  return balance < amount
    ? `${formatCents(amount)} came in. What you owed is paid, and ${formatCents(balance)} is in your wallet.`
    : `${formatCents(amount)} is in your wallet.`;
}
