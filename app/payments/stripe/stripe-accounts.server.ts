import { env } from "#app/env.server.ts";
import { askStripe, StripeRefusal } from "./ask-stripe.server.ts";
import { type ConnectedAccount, connectedAccountOf } from "./connected-account.ts";

type Path = `/${string}`;

/**
 * Makes an account for somebody who is paid: Stripe asks for its details on its own pages, shows it its own dashboard, and pays
 * out when we say so alone, so that a payout of ours is one of Stripe's. `instead` is one that is there no more.
 */
export async function makeConnectedAccount({
  owner,
  instead,
}: {
  owner: string;
  instead: string | undefined;
}): Promise<string> {
  const idempotencyKey = `connected-account/${owner}/${instead ?? "first"}`;
  const { id } = await askStripe((stripe) =>
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

/** How an account stands; undefined when it is there no more, or was never ours. */
export async function readConnectedAccount(reference: string): Promise<ConnectedAccount | undefined> {
  try {
    return connectedAccountOf(await askStripe((stripe) => stripe.accounts.retrieve(reference)));
  } catch (error) {
    if (error instanceof StripeRefusal && isGone(error)) return undefined;
    throw error;
  }
}

/** Stripe's words for an account that was closed, or belongs to nobody here. */
function isGone({ code }: StripeRefusal): boolean {
  return code === "account_invalid" || code === "resource_missing";
}

/** Stripe's page for one visit: where it asks for what it still needs, and once it has all, where the bank account is changed. */
export async function openAccountPage(
  { reference, state, dueBy }: ConnectedAccount,
  { returnPath, refreshPath }: { returnPath: Path; refreshPath: Path },
): Promise<string> {
  const { publicUrl } = env();
  if (state === "ready" && !dueBy) {
    return (await askStripe((stripe) => stripe.accounts.createLoginLink(reference))).url;
  }
  const page = await askStripe((stripe) =>
    stripe.accountLinks.create({
      account: reference,
      type: "account_onboarding",
      return_url: `${publicUrl}${returnPath}`,
      refresh_url: `${publicUrl}${refreshPath}`,
    }),
  );
  return page.url;
}
