import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { ledgerAccounts } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import { type AccountId, type LedgerAccountId, newId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";
import type { LedgerLeg, OwnedLedgerAccountKind } from "./ledger.ts";
import type { AdvertiserFunds } from "./spend-posting.ts";

type LockedLedgerAccount = { id: LedgerAccountId; balance: Cents };

/**
 * Ledger accounts by `ledgerAccountKey`, locked until the transaction ends. Balances are in cents; debits are positive.
 */
export type LockedLedgerAccounts = ReadonlyMap<string, LockedLedgerAccount>;

export function ledgerAccountKey({ account, ownerId }: Pick<LedgerLeg, "account" | "ownerId">): string {
  return `${account} ${ownerId ?? ""}`;
}

const accountRow = z.object({
  id: columnValue(ledgerAccounts.id),
  kind: columnValue(ledgerAccounts.kind),
  owner: z.string(),
  balance: z.string(),
});

/**
 * Locks the accounts of the legs and creates those that do not exist: those with an owner first, then those that all
 * share, each in the order of their IDs to prevent deadlocks. A transaction calls it once; one with much to write
 * between calls it for the owner's account first, and for the shared ones before it posts.
 */
export async function lockLedgerAccounts(
  ctx: Ctx,
  legs: readonly Pick<LedgerLeg, "account" | "ownerId">[],
): Promise<LockedLedgerAccounts> {
  const distinct = [...new Map(legs.map((one) => [ledgerAccountKey(one), one])).values()];
  const list = JSON.stringify(
    distinct.map(({ account, ownerId }) => ({
      id: newId<LedgerAccountId>(),
      kind: account,
      owner_id: ownerId ?? null,
    })),
  );
  const asRows = sql`json_to_recordset(${list}::json) as wanted (id uuid, kind text, owner_id uuid)`;
  await ctx.db.execute(sql`
    insert into ledger_accounts (id, kind, owner_id) select id, kind, owner_id from ${asRows}
    where not exists (select from ledger_accounts known where known.kind = wanted.kind and known.owner_id is not distinct from wanted.owner_id)
    order by kind, owner_id on conflict (owner_id, kind) do nothing`);
  const rows = await queryRows(
    ctx.db,
    accountRow,
    sql`select known.id, known.kind, coalesce(known.owner_id::text, '') as owner, known.balance_cents::text as balance
      from ledger_accounts known where exists (select from ${asRows} where wanted.kind = known.kind and wanted.owner_id is not distinct from known.owner_id)
      order by known.owner_id is null, known.id for no key update of known`,
  );
  return new Map(
    rows.map(({ id, kind, owner, balance }) => [`${kind} ${owner}`, { id, balance: asCents(Number(balance)) }]),
  );
}

/**
 * Returns an advertiser's wallet balance and debt, in cents. A wallet is a liability, so its ledger balance is a credit
 * and its sign is inverted.
 */
export function toAdvertiserFunds(ownerId: AccountId, accounts: LockedLedgerAccounts): AdvertiserFunds {
  const balanceOf = (account: OwnedLedgerAccountKind) =>
    accounts.get(ledgerAccountKey({ account, ownerId }))?.balance ?? 0;
  return { wallet: asCents(-balanceOf("advertiser_wallet") || 0), owed: asCents(balanceOf("advertiser_receivable")) };
}
