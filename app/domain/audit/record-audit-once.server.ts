import { and, eq, sql } from "drizzle-orm";
import { auditEntries } from "#db/schema/index.ts";
import type { Ctx } from "../context.ts";
import { inTransaction } from "../transaction.server.ts";
import { type AuditEntryInput, recordAudit } from "./record-audit.server.ts";

/**
 * Writes an audit entry unless its entity has one with the same action and reference, the ID of what it is about
 * outside the app. Returns whether it did.
 */
export async function recordAuditOnce(
  ctx: Ctx,
  entry: AuditEntryInput & { after: { reference: string } },
): Promise<boolean> {
  const {
    action,
    entityId,
    after: { reference },
  } = entry;
  return inTransaction(ctx, async (tx) => {
    await tx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${action} ${reference}`}, 0))`);
    const isSameAction = and(eq(auditEntries.entityId, entityId), eq(auditEntries.action, action));
    const hasReference = sql`${auditEntries.after} ->> 'reference' = ${reference}`;
    if ((await tx.db.$count(auditEntries, and(isSameAction, hasReference))) > 0) return false;
    await recordAudit(tx, entry);
    return true;
  });
}
