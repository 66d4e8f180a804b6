import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, centsToDollars } from "../../money.ts";
import type { LedgerPosting } from "../ledger/ledger.ts";
import { type LockedLedgerAccounts, ledgerAccountKey } from "../ledger/ledger-accounts.server.ts";

/**
 * Notifies each publisher whose balance these postings together made negative: it was paid more than it earned, also
 * with what is held. `accounts` are as they were before the postings. Call it in the transaction that posts them.
 */
export async function notifyOfNegativeBalances(
  ctx: Ctx,
  { postings, accounts }: { postings: readonly LedgerPosting[]; accounts: LockedLedgerAccounts },
): Promise<void> {
  const changes = new Map<AccountId, { cents: number; eventKey: string }>();
  for (const { eventKey, legs } of postings) {
    for (const leg of legs) {
      if (leg.account !== "publisher_payable") continue;
      const before = changes.get(leg.ownerId)?.cents ?? 0;
      changes.set(leg.ownerId, { cents: before + leg.amount, eventKey });
    }
  }
  await notifyAccounts(
    ctx,
    [...changes].flatMap(([accountId, { cents, eventKey }]) => {
      // A debit balance of the account is what the publisher owes.
      const before = accounts.get(ledgerAccountKey({ account: "publisher_payable", ownerId: accountId }))?.balance ?? 0;
      const owed = before + cents;
      if (before > 0 || owed <= 0) return [];
      const facts = { amount: centsToDollars(asCents(owed)) };
      return [
        { event: "balance_negative" as const, accountId, key: `negative/${eventKey}`, subjectId: accountId, facts },
      ];
    }),
  );
}
