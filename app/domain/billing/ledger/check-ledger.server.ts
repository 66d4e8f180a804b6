import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { queryRows } from "#db/query-rows.server.ts";
import type { Ctx, JobActor, OperatorActor } from "../../context.ts";
import { bankTransferInvariants } from "./invariants/bank-transfer-invariants.server.ts";
import { invoiceInvariants } from "./invariants/invoice-invariants.server.ts";
import { paymentInvariants } from "./invariants/payment-invariants.server.ts";
import { payoutInvariants } from "./invariants/payout-invariants.server.ts";
import { postingInvariants } from "./invariants/posting-invariants.server.ts";
import { settlementInvariants } from "./invariants/settlement-invariants.server.ts";

/** The invariants of the ledger and of everything derived from it. Each query selects the violations. */
export const ledgerInvariants = {
  ...postingInvariants,
  ...settlementInvariants,
  ...paymentInvariants,
  ...invoiceInvariants,
  ...payoutInvariants,
  ...bankTransferInvariants,
} satisfies Record<string, SQL>;

export type LedgerViolation = { rule: keyof typeof ledgerInvariants; found: string[] };

const caseRow = z.object({ id: z.string() });

/**
 * Checks the whole ledger in one snapshot. Returns the violated invariants with up to 20 cases each. Throws between two
 * invariants when the process of its job stops.
 */
export async function checkLedger(ctx: Ctx<JobActor | OperatorActor>): Promise<LedgerViolation[]> {
  return ctx.db.transaction(
    async (tx) => {
      const violations: LedgerViolation[] = [];
      for (const rule of Object.keys(ledgerInvariants).filter(isRule)) {
        ctx.stopping?.throwIfAborted();
        const rows = await queryRows(tx, caseRow, sql`select id from (${ledgerInvariants[rule]}) cases limit 20`);
        if (rows.length > 0) violations.push({ rule, found: rows.map(({ id }) => id) });
      }
      return violations;
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

function isRule(name: string): name is keyof typeof ledgerInvariants {
  return name in ledgerInvariants;
}
