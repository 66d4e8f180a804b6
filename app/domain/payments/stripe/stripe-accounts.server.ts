import { env } from "#app/env.server.ts";
import { callStripe, StripeRejection } from "./call-stripe.server.ts";
import { type ConnectedAccount, toConnectedAccount } from "./connected-account.ts";

type Path = `/${string}`;

/**
 * Creates a connected account for a publisher. Stripe collects the details on its own pages, offers its own dashboard,
 * and pays out only when we request it, so that each of our payouts is one payout of Stripe. `instead` is the account
 * that it replaces, because that one no longer exists. Returns its ID.
 */
export async function createConnectedAccount({
  owner,
  instead,
}: {
  owner: string;
  instead: string | undefined;
}): Promise<string> {
  const idempotencyKey = `connected-account/${owner}/${instead ?? "first"}`;
  const { id } = await callStripe((stripe) =>
    stripe.accounts.create(
      {
        controller: {
          stripe_dashboard: { type: "express" },
          requirement_collection: "stripe",
          fees: { payer: "application" },
          losses: { payments: "application" },
        },
        capabilities: { transfers: { requested: true } },
        settings: { payouts: { schedule: { interval: "manual" } } },
        metadata: { endcap_account: owner },
      },
      { idempotencyKey },
    ),
  );
  return id;
}

/** Reads a connected account; undefined when it no longer exists or is not ours. */
export async function readConnectedAccount(reference: string): Promise<ConnectedAccount | undefined> {
  try {
    return toConnectedAccount(await callStripe((stripe) => stripe.accounts.retrieve(reference)));
  } catch (error) {
    if (error instanceof StripeRejection && isAccountDeleted(error)) return undefined;
    throw error;
  }
}

/** Returns whether the code means that the account was closed or is not ours. */
function isAccountDeleted({ code }: StripeRejection): boolean {
  return code === "account_invalid" || code === "resource_missing";
}

/**
 * Creates the URL of a Stripe page for one visit: onboarding while information is missing, and afterwards the
 * dashboard, where the bank account can be changed.
 */
export async function createAccountLink(
  { reference, state, requirementsDueBy }: ConnectedAccount,
  { returnPath, refreshPath }: { returnPath: Path; refreshPath: Path },
): Promise<string> {
  const { publicUrl } = env();
  if (state === "enabled" && !requirementsDueBy) {
    return (await callStripe((stripe) => stripe.accounts.createLoginLink(reference))).url;
  }
  const page = await callStripe((stripe) =>
    stripe.accountLinks.create({
      account: reference,
      type: "account_onboarding",
      return_url: `${publicUrl}${returnPath}`,
      refresh_url: `${publicUrl}${refreshPath}`,
    }),
  );
  return page.url;
}
