import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import { auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import verifyAudit from "../../commands/verify-audit.ts";
import { performCommand } from "./perform-command.ts";

const db = useDatabase();
const verify = (...args: string[]) => performCommand(db.ownerUrl(), verifyAudit, ...args);

test("audit:verify prints the newest hash, and names the changed entry and its block", async () => {
  const clock = () => new Date();
  const operator = {
    db: db(),
    clock,
    entrypoint: "command",
    report: () => undefined,
    actor: { kind: "operator", name: "root" },
  } as const;
  const job = {
    ...operator,
    clock: () => new Date(Date.now() + 60_000),
    actor: { kind: "job", name: "seal" },
  } as const;
  await recordAudit(operator, { action: "account.approved", entity: "account", entityId: crypto.randomUUID() });
  await sealAuditEntries(job);
  const counts = "Blocks: 1, sealed entries: 1, pending entries: 0";
  const printed = await verify();
  const [, newest = ""] = /Newest block: ([0-9a-f]{64}@1)\n/.exec(printed) ?? [];
  expect(printed).toBe(`${counts}\nNewest block: ${newest}\nAudit trail verified\n`);
  expect(await verify("--expect", newest.replace("@1", "@2"))).toBe(
    "1: block 2: the block is missing\nAudit trail verification failed: 1 fault\n",
  );
  expect(await verify("--expect", newest, "more")).toBe("1: Usage: npm run audit:verify [-- --expect HASH@NUMBER]\n");
  const [entry] = await db().select().from(auditEntries);
  await db.owner().transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update audit_entries set actor_name = 'nobody'`);
  });
  expect(await verify("--expect", newest)).toBe(
    `1: block 1, entry ${entry?.id}: the entry was changed\nAudit trail verification failed: 1 fault\n`,
  );
});
