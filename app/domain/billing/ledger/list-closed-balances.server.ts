import { sql } from "drizzle-orm";
import { z } from "zod";
import { columnValue, pgArray, queryRows } from "#db/query-rows.server.ts";
import { accounts } from "#db/schema/index.ts";
import type { Ctx, JobActor, OperatorActor } from "../../context.ts";
import type { AccountId } from "../../ids.ts";
import { asCents, type Cents } from "../../money.ts";

const balanceRow = z.object({
  id: columnValue(accounts.id),
  type: columnValue(accounts.type),
  companyName: columnValue(accounts.companyName),
  cents: z.string(),
});

export type ClosedBalance = Omit<z.output<typeof balanceRow>, "cents"> & { balance: Cents };

/**
 * Lists the closed accounts, all or those among `ids`, for which the books have a balance, in cents: above 0 what we
 * owe them, below 0 what they owe us. Nobody can pay it out or collect it but an operator.
 */
export async function listClosedBalances(
  ctx: Ctx<JobActor | OperatorActor>,
  { ids }: { ids?: readonly AccountId[] } = {},
): Promise<ClosedBalance[]> {
  const among = ids ? sql`account.id = any(${pgArray(ids)}::uuid[])` : sql`true`;
  const rows = await queryRows(
    ctx.db,
    balanceRow,
    sql`
      select account.id, account.type, account.company_name as "companyName", (-sum(known.balance_cents))::text as cents
      from accounts account join ledger_accounts known on known.owner_id = account.id
      where account.closed_at is not null and ${among}
      group by account.id having sum(known.balance_cents) <> 0 order by account.id`,
  );
  return rows.map(({ cents, ...row }) => ({ ...row, balance: asCents(Number(cents)) }));
}
