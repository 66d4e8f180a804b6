import { createHash, createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { deriveKey } from "#app/derive-key.server.ts";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { verifyAuditChain } from "#app/domain/audit/chain/verify-audit-chain.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { auditBlocks } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { useEnvironment } from "#tests/support/use-environment.ts";

const earlier = "the secret before this one; ".repeat(2);
useEnvironment({ SESSION_SECRET_PREVIOUS: earlier });

const db = useDatabase();

test("after a rotation a block without entries is signed with the newest key, once", async () => {
  const job = {
    db: db(),
    clock: () => new Date(Date.now() + 60_000),
    entrypoint: "job",
    report: () => undefined,
    actor: { kind: "job", name: "seal_audit_entries" },
  } as const;
  await recordAudit(job, { action: "account.approved", entity: "account", entityId: crypto.randomUUID() });
  await sealAuditEntries(job);
  const [block] = await db().select().from(auditBlocks);
  if (!block) throw new Error("the entry is sealed");
  const key = deriveKey(earlier.trim(), "audit blocks");
  const id = createHash("sha256").update(key).digest().subarray(0, 4);
  const signature = Buffer.concat([id, createHmac("sha256", key).update(block.hash).digest()]);
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.update(auditBlocks).set({ signature });
  });
  expect(await sealAuditEntries(job)).toBe(0);
  expect(await sealAuditEntries(job)).toBe(0);
  const blocks = await db().select().from(auditBlocks).orderBy(auditBlocks.number);
  expect(blocks.map(({ entryIds }) => entryIds.length)).toEqual([1, 0]);
  const onFault = expect.unreachable;
  const operator = { ...job, entrypoint: "command", actor: { kind: "operator", name: "root" } } as const;
  expect(await verifyAuditChain(operator, { onFault: (fault) => onFault(fault.problem) })).toMatchObject({
    blocks: 2,
    sealed: 1,
  });
});
