import { StripeRefusal } from "#app/payments/stripe/ask-stripe.server.ts";
import type { ConnectedAccount } from "#app/payments/stripe/connected-account.ts";
import { makeConnectedAccount, openAccountPage } from "#app/payments/stripe/stripe-accounts.server.ts";
import type { Ctx, PublisherActor } from "../../../context.ts";
import { DomainError } from "../../../errors.ts";
import { askProvider } from "../../payments/ask-provider.server.ts";
import { payoutsBy } from "../provider-of.server.ts";
import { findConnectedAccount, keepConnectedAccount } from "./connected-accounts.server.ts";
import { readAndKeep } from "./follow-payout-account.server.ts";

type Path = `/${string}`;

/**
 * Opens Stripe's page where the publisher says who it is and which bank account it is paid to, or changes that. It ends at
 * `returnPath`, or at `refreshPath` when the page is too old: then another one is to be opened. The account at Stripe is made
 * once. Throws `unavailable`, and `invalid_transition` in test mode and where the sandbox pays out.
 */
export async function beginPayoutAccount(
  ctx: Ctx<PublisherActor>,
  paths: { returnPath: Path; refreshPath: Path },
): Promise<{ url: string }> {
  if (payoutsBy() !== "stripe") {
    throw new DomainError("invalid_transition", "There is no page for this here: name an account.");
  }
  // Whoever looks around in test mode is nobody that Stripe could pay.
  if (ctx.door === "test_mode") {
    throw new DomainError("invalid_transition", "Test mode is paid nothing. Sign in to set up payouts.");
  }
  try {
    return await askProvider(async () => ({ url: await openAccountPage(await getAccount(ctx), paths) }));
  } catch (error) {
    if (!(error instanceof StripeRefusal)) throw error;
    const message = "Stripe opens no account for you at the moment. Try again later, or write to us.";
    throw new DomainError("unavailable", message, { cause: error });
  }
}

async function getAccount(ctx: Ctx<PublisherActor>): Promise<ConnectedAccount> {
  const publisherId = ctx.actor.accountId;
  const known = await findConnectedAccount(ctx, publisherId);
  const found = known && (await readAndKeep(ctx, known));
  if (found) return found;
  const instead = known?.reference;
  const made = await makeConnectedAccount({ owner: publisherId, instead });
  const reference = await keepConnectedAccount(ctx, { publisherId, reference: made, instead });
  const account = await readAndKeep(ctx, { publisherId, reference });
  if (!account)
    throw new DomainError("unavailable", "Stripe does not answer at the moment. Try again in a few minutes.");
  return account;
}
