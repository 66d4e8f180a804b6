import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { accounts } from "#db/schema/index.ts";
import type { Ctx } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { asCents } from "../../money.ts";
import type { Funds } from "./funds.ts";

const fundsRow = z.object({
  id: columnValue(accounts.id),
  wallet: z.string(),
  owed: z.string(),
  credit: z.string(),
  unsettled: z.string(),
});

/** Reads the advertisers' current funds. Accounts that are not advertisers are left out. */
export async function readFunds(ctx: Ctx, advertiserIds: readonly AccountId[]): Promise<Map<AccountId, Funds>> {
  const balance = (kind: "advertiser_wallet" | "advertiser_receivable") =>
    sql`coalesce((select known.balance_cents from ledger_accounts known where known.owner_id = account.id and known.kind = ${kind}), 0)`;
  const rows = await queryRows(
    ctx.db,
    fundsRow,
    sql`
      select account.id, (-${balance("advertiser_wallet")})::text as wallet, (${balance("advertiser_receivable")})::text as owed,
        account.credit_limit_cents::text as credit, coalesce(unsettled.cents, 0)::text as unsettled
      from accounts account left join unsettled_spend unsettled on unsettled.advertiser_id = account.id
      where account.id = any(${pgArray(advertiserIds)}::uuid[]) and account.type = 'advertiser'`,
  );
  return new Map(
    rows.map(({ id, wallet, owed, credit, unsettled }) => [
      id,
      {
        wallet: asCents(Number(wallet)),
        owed: asCents(Number(owed)),
        creditLimit: asCents(Number(credit)),
        unsettled: asCents(Number(unsettled)),
      },
    ]),
  );
}
