import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { requirePayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import { StripeRejection } from "#app/domain/payments/stripe/call-stripe.server.ts";
import type { ConnectedAccount } from "#app/domain/payments/stripe/connected-account.ts";
import { createAccountLink, createConnectedAccount } from "#app/domain/payments/stripe/stripe-accounts.server.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { findConnectedAccount, saveConnectedAccount } from "./connected-accounts.server.ts";
import { fetchAndSaveConnectedAccount } from "./sync-connected-account.server.ts";

type Path = `/${string}`;

/**
 * Returns the URL of Stripe's onboarding page, where the publisher enters its identity and bank account or changes
 * them. The page returns to `returnPath`, or to `refreshPath` when its link has expired and a new one is needed.
 * Creates the connected account once. Throws `unavailable`, and `invalid_transition` in test mode, where the sandbox
 * pays out, and when the account is closed.
 */
export async function startPayoutOnboarding(
  ctx: Ctx<PublisherActor>,
  paths: { returnPath: Path; refreshPath: Path },
): Promise<{ url: string }> {
  if (requirePayoutProviderName() !== "stripe") {
    throw new DomainError("invalid_transition", "Payouts don't use Stripe here. Choose a bank account instead.");
  }
  // Nobody in test mode is a party that Stripe could pay.
  if (ctx.entrypoint === "test_mode") {
    throw new DomainError("invalid_transition", "Payouts are unavailable in test mode. Sign in to set them up.");
  }
  try {
    return await callProvider(async () => ({ url: await createAccountLink(await getOrCreateAccount(ctx), paths) }));
  } catch (error) {
    if (!(error instanceof StripeRejection)) throw error;
    const message = "Stripe can't open an account for you right now. Try again later or contact support.";
    throw new DomainError("unavailable", message, { cause: error });
  }
}

async function getOrCreateAccount(ctx: Ctx<PublisherActor>): Promise<ConnectedAccount> {
  const publisherId = ctx.actor.accountId;
  const known = await findConnectedAccount(ctx, publisherId);
  const connectedAccount = known && (await fetchAndSaveConnectedAccount(ctx, known));
  if (connectedAccount) return connectedAccount;
  const instead = known?.reference;
  const created = await createConnectedAccount({ owner: publisherId, instead });
  const reference = await saveConnectedAccount(ctx, { publisherId, reference: created, instead });
  const account = await fetchAndSaveConnectedAccount(ctx, { publisherId, reference });
  if (!account) throw new DomainError("unavailable", "Stripe is not responding. Try again in a few minutes.");
  return account;
}
