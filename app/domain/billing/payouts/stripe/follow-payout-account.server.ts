import { eq } from "drizzle-orm";
import type { ConnectedAccount } from "#app/payments/stripe/connected-account.ts";
import { readConnectedAccount } from "#app/payments/stripe/stripe-accounts.server.ts";
import { connectedAccounts } from "#db/schema/index.ts";
import type { Ctx, JobActor, PublisherActor } from "../../../context.ts";
import type { AccountId } from "../../../ids.ts";
import { askProvider } from "../../payments/ask-provider.server.ts";
import { payoutsBy } from "../provider-of.server.ts";
import { findConnectedAccount, keepAccountState } from "./connected-accounts.server.ts";

/** Asks Stripe how the publisher's account stands now and writes it down. Nothing before it has one. Throws `unavailable`. */
export async function followPayoutAccount(ctx: Ctx<PublisherActor>): Promise<void> {
  if (payoutsBy() !== "stripe") return;
  const publisherId = ctx.actor.accountId;
  const known = await findConnectedAccount(ctx, publisherId);
  if (known) await readAndKeep(ctx, { publisherId, reference: known.reference });
}

/** The same when Stripe says that there is news of an account; nothing for one that is nobody's here. */
export async function followConnectedAccount(
  ctx: Ctx<JobActor>,
  { account: reference }: { account: string },
): Promise<void> {
  const [known] = await ctx.db.select().from(connectedAccounts).where(eq(connectedAccounts.reference, reference));
  if (known) await readAndKeep(ctx, known);
}

/** How it stands: one that Stripe does not know, or that is not this publisher's, is none. */
export async function readAndKeep(
  ctx: Ctx,
  { publisherId, reference }: { publisherId: AccountId; reference: string },
): Promise<ConnectedAccount | undefined> {
  const askedAt = ctx.clock();
  const read = await askProvider(() => readConnectedAccount(reference));
  const found = read?.owner === publisherId ? read : undefined;
  await keepAccountState(ctx, { publisherId, reference, askedAt }, found);
  return found;
}
