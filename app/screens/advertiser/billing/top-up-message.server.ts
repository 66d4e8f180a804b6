import { getWallet } from "#app/domain/billing/wallet/get-wallet.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import { asCents, type Cents, formatCents } from "#app/domain/money.ts";

/** Returns the message after a top-up, which settles a negative balance first. */
export async function topUpMessage(ctx: Ctx<AdvertiserActor>, amount: Cents): Promise<string> {
  const { balance } = await getWallet(ctx);
  if (balance < 0) {
    return `${formatCents(amount)} received and applied to what you owe. You still owe ${formatCents(asCents(-balance))}.`;
  }
  return balance < amount
    ? `${formatCents(amount)} received. What you owed is paid, and your balance is ${formatCents(balance)}.`
    : `${formatCents(amount)} added to your wallet`;
}
