import { eq } from "drizzle-orm";
import type { Ctx, JobActor, PublisherActor } from "#app/domain/context.ts";
import type { AccountId } from "#app/domain/ids.ts";
import { requirePayoutProviderName } from "#app/domain/payments/active-payout-provider.server.ts";
import type { ConnectedAccount } from "#app/domain/payments/stripe/connected-account.ts";
import { readConnectedAccount } from "#app/domain/payments/stripe/stripe-accounts.server.ts";
import { connectedAccounts } from "#db/schema/index.ts";
import { callProvider } from "../charges/call-provider.server.ts";
import { findConnectedAccount, saveConnectedAccountState } from "./connected-accounts.server.ts";

/** Fetches and stores the state of the publisher's connected account. No effect without one. Throws `unavailable`. */
export async function syncOwnConnectedAccount(ctx: Ctx<PublisherActor>): Promise<void> {
  if (requirePayoutProviderName() !== "stripe") return;
  const publisherId = ctx.actor.accountId;
  const known = await findConnectedAccount(ctx, publisherId);
  if (known) await fetchAndSaveConnectedAccount(ctx, { publisherId, reference: known.reference });
}

/**
 * Fetches and stores the state of a connected account after an event of Stripe. No effect for an unknown account.
 * Throws `unavailable`.
 */
export async function syncConnectedAccount(
  ctx: Ctx<JobActor>,
  { account: reference }: { account: string },
): Promise<void> {
  const [known] = await ctx.db.select().from(connectedAccounts).where(eq(connectedAccounts.reference, reference));
  if (known) await fetchAndSaveConnectedAccount(ctx, known);
}

/**
 * Fetches a connected account and stores its state. Returns undefined for an account that Stripe does not know or that
 * belongs to another publisher. Throws `unavailable`.
 */
export async function fetchAndSaveConnectedAccount(
  ctx: Ctx,
  { publisherId, reference }: { publisherId: AccountId; reference: string },
): Promise<ConnectedAccount | undefined> {
  const readAt = ctx.clock();
  const read = await callProvider(() => readConnectedAccount(reference));
  const connectedAccount = read?.owner === publisherId ? read : undefined;
  await saveConnectedAccountState(ctx, { publisherId, reference, readAt }, connectedAccount);
  return connectedAccount;
}
