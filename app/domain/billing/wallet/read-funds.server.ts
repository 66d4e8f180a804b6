import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
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
        account.credit_limit_cents::text as credit, ${unsettledSpendSql(sql`account.id`)}::text as unsettled
      from accounts account where account.id = any(${`{${advertiserIds.join(",")}}`}::uuid[]) and account.type = 'advertiser'`,
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

/** Returns the unsettled spend of an advertiser's line items in whole cents, as SQL. */
function unsettledSpendSql(advertiserId: ReturnType<typeof sql>) {
  return sql`coalesce((
    select sum(item.spend_micros / 10000 - coalesce(settled.spend_cents, 0)) from campaigns campaign
    join line_items item on item.campaign_id = campaign.id left join line_item_settlements settled on settled.line_item_id = item.id
    where campaign.advertiser_id = ${advertiserId}), 0)`;
}
