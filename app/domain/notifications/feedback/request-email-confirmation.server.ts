import type { Ctx, TenantActor } from "../../context.ts";
import type { UserId } from "../../ids.ts";
import { inTransaction } from "../../transaction.server.ts";
import { notifyAccounts } from "../notify-accounts.server.ts";
import { findSuppression } from "./find-suppression.server.ts";

/** A person gets one confirmation in this time, in milliseconds. */
const confirmationIntervalMs = 10 * 60_000;

/**
 * Sends an email with a link that confirms the person's address, once in ten minutes at most. No effect when emails to
 * it are not held back.
 */
export async function requestEmailConfirmation(ctx: Ctx<TenantActor>, { userId }: { userId: UserId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const suppression = await findSuppression(tx, { userId });
    if (!suppression) return;
    const turn = Math.floor(tx.clock().getTime() / confirmationIntervalMs);
    await notifyAccounts(tx, [
      {
        event: "email_confirmation",
        accountId: tx.actor.accountId,
        key: `email_confirmation:${userId}:${suppression.suppressedAt.getTime()}:${turn}`,
        subjectId: userId,
        recipients: [userId],
        isSeen: true,
      },
    ]);
  });
}
