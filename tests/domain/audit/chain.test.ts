import { getTableColumns, gte, sql } from "drizzle-orm";
import fc from "fast-check";
import { v7 } from "uuid";
import { beforeAll, expect, test } from "vitest";
import { sealedColumns } from "#app/domain/audit/chain/audit-chain.ts";
import { hashBlock, hashEntry } from "#app/domain/audit/chain/hash-block.server.ts";
import { readSealedEntries } from "#app/domain/audit/chain/read-sealed-entries.server.ts";
import { sealAuditEntries } from "#app/domain/audit/chain/seal-audit-entries.server.ts";
import { type ChainFault, verifyAuditChain } from "#app/domain/audit/chain/verify-audit-chain.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, JobActor, OperatorActor } from "#app/domain/context.ts";
import { type AccountId, type AuditEntryId, newId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import type { Database } from "#db/client.server.ts";
import { auditBlocks, auditEntries } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";

const db = useDatabase();
const [minute, hour] = [60_000, 3_600_000];
/** Defaults to a time at which everything written so far is sealed. */
const job = (clock = () => new Date(Date.now() + minute)): Ctx<JobActor> => ({
  db: db(),
  clock,
  report: () => undefined,
  entrypoint: "job",
  actor: { kind: "job", name: "seal_audit_entries" },
});
const operator = (): Ctx<OperatorActor> => ({
  ...job(),
  entrypoint: "command",
  actor: { kind: "operator", name: "root" },
});
const createWriter = (name: string): Ctx<OperatorActor> => ({
  ...operator(),
  clock: () => new Date(),
  actor: { kind: "operator", name },
});

const change = (budget: number) => ({
  action: "account.changed",
  entity: "account" as const,
  entityId: crypto.randomUUID(),
  before: { name: "ü", budget: null },
  after: { budget },
});

/** Ten entries an hour, sealed hour by hour, until an hour ago. */
const hours = 8;
beforeAll(async () => {
  const start = Date.now() - (hours + 1) * hour;
  for (let at = start; at < start + hours * hour; at += hour) {
    const rows = Array.from({ length: 10 }, (_, index) => {
      const time = at + (index * hour) / 10;
      const id = v7({ msecs: time }) as AuditEntryId;
      const actor = { actorKind: "operator", actorName: "root", entrypoint: "command" } as const;
      const account = newId<AccountId>();
      return { ...change(index), id, at: new Date(time), accountId: account, ...actor, requestId: "request" };
    });
    await db().insert(auditEntries).values(rows);
    await sealAuditEntries(job(() => new Date(at + hour)));
  }
});

async function write(ctx: Ctx, count: number): Promise<void> {
  await recordAudit(ctx, ...Array.from({ length: count }, (_, index) => change(index)));
}

async function verify(database: Database = db(), expected?: { number: number; hash: string }) {
  const faults: ChainFault[] = [];
  const ctx = { ...operator(), db: database };
  const report = await verifyAuditChain(ctx, { expected, onFault: (fault) => faults.push(fault) });
  return { ...report, faults };
}

/** Runs `operation` in a transaction that is rolled back. */
async function inRolledBackTransaction(operation: (tx: Database) => Promise<void>): Promise<void> {
  const rollback = new Error("undone");
  const attempt = db.owner().transaction(async (tx) => {
    await operation(tx);
    throw rollback;
  });
  await expect(attempt).rejects.toBe(rollback);
}

/** Returns the findings after statements by an attacker with full access to the database. */
async function afterAttack(...attack: string[]): Promise<ChainFault[]> {
  let faults: ChainFault[] = [];
  await inRolledBackTransaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of attack) await tx.execute(sql.raw(statement));
    ({ faults } = await verify(tx));
  });
  return faults;
}

type SealedRow = { id: string; block: number };

async function sealedRows(): Promise<SealedRow[]> {
  const blocks = await db().select().from(auditBlocks).orderBy(auditBlocks.number);
  return blocks.flatMap((block) => block.entryIds.map((id) => ({ id, block: block.number })));
}

const columnNames = Object.values(getTableColumns(auditEntries)).map(({ name }) => name);

/** Inserts a copy of an entry with another id, written at a time. */
function copyAt(time: number, values: Partial<Record<string, string>> = {}): string {
  const given: Partial<Record<string, string>> = { id: `'${v7({ msecs: time })}'`, ...values };
  const names = columnNames.map((name) => `"${name}"`);
  const copied = columnNames.map((name) => given[name] ?? `"${name}"`);
  return `insert into audit_entries (${names.join(", ")}) select ${copied.join(", ")} from audit_entries limit 1`;
}

/** An expression for another value than a column of an entry has. */
function otherValue(name: string): string {
  if (name === "created_at") return "created_at + interval '1 millisecond'";
  if (name === "entrypoint") return "case entrypoint when 'api' then 'screen' else 'api' end";
  if (name === "before" || name === "after") return `coalesce("${name}", '{}') || '{"forged": true}'`;
  return /(^|_)id$/.test(name) && name !== "request_id" ? "gen_random_uuid()" : `coalesce("${name}", '') || '.'`;
}

test("the hash of an entry covers every column", () => {
  const columns = Object.values(getTableColumns(auditEntries)).map(({ name }) => name);
  expect([...sealedColumns].sort()).toEqual(columns.sort());
});

test("sealed entries that did not change verify", async () => {
  expect(await verify()).toMatchObject({ blocks: hours, sealed: 10 * hours, waiting: 0, faults: [] });
});

test(
  "any change, removal and insertion of an entry is detected, with its id",
  async () => {
    const rows = await sealedRows();
    const columns = columnNames.filter((name) => name !== "id");
    const attacks = fc.oneof(
      fc.record({ row: fc.constantFrom(...rows), column: fc.constantFrom(...columns) }),
      fc.record({ row: fc.constantFrom(...rows) }),
      // Some times are earlier than the checker accepts, and one is in the future.
      fc.record({ hoursAgo: fc.constantFrom(-2, 3, 5, 9, 10_000) }),
    );
    await fc.assert(
      fc.asyncProperty(attacks, async (attack) => {
        const [statement, fault] = attackOf(attack);
        expect(await afterAttack(statement)).toEqual([fault]);
      }),
      { numRuns: faultRuns({ small: 50, all: 1_000 }) },
    );
  },
  faultTimeoutMs,
);

function attackOf({ row, column, hoursAgo }: { row?: SealedRow; column?: string; hoursAgo?: number }) {
  if (!row) {
    const problem = "the entry is in no block, and its time differs from when it was written";
    return [copyAt(Date.now() - (hoursAgo ?? 0) * hour), { entry: expect.any(String), problem }] as const;
  }
  const found = { block: row.block, entry: row.id };
  const where = `where id = '${row.id}'`;
  if (!column) return [`delete from audit_entries ${where}`, { ...found, problem: "the entry was removed" }] as const;
  const statement = `update audit_entries set "${column}" = ${otherValue(column)} ${where}`;
  return [statement, { ...found, problem: "the entry was changed" }] as const;
}

/**
 * Someone who has the database, and with it all but the key, writes the blocks from this one on again after changing an
 * entry.
 */
async function forgeBlocks({ id, block: from }: SealedRow): Promise<string[]> {
  const blocks = await db().select().from(auditBlocks).where(gte(auditBlocks.number, from)).orderBy(auditBlocks.number);
  const [original] = await readSealedEntries(db(), { where: sql`id = ${id}::uuid`, limit: 1 });
  if (!original) throw new Error("the entry is there");
  const statements = [`update audit_entries set actor_name = 'nobody' where id = '${id}'`];
  let previousHash: Buffer | undefined;
  for (const block of blocks) {
    const at = block.entryIds.indexOf(id) * 32;
    const entryHashes = Buffer.from(block.entryHashes);
    if (at >= 0) hashEntry({ ...original, actor_name: "nobody" }).copy(entryHashes, at);
    const forged = { ...block, previousHash: previousHash ?? block.previousHash, entryHashes };
    const hash = hashBlock(forged);
    previousHash = hash;
    const hex = (bytes: Buffer) => `'\\x${bytes.toString("hex")}'`;
    statements.push(`update audit_blocks set entry_hashes = ${hex(entryHashes)}, previous_hash = ${hex(forged.previousHash)}, hash = ${hex(hash)}
      where number = ${block.number}`);
  }
  return statements;
}

test("a chain rebuilt without the key is detected", async () => {
  const rows = await sealedRows();
  const row = rows.find(({ block }) => block === 5);
  if (!row) throw new Error("block 5 has entries");
  const forged = await forgeBlocks(row);
  const wrong = { problem: "the block's signature is wrong" };
  expect(await afterAttack(...forged)).toEqual([5, 6, 7, 8].map((block) => ({ block, ...wrong })));
  // With the name of another key beside it, which an operator may have dropped.
  const renamed = "update audit_blocks set signature = '\\x00000000' || substring(signature from 5) where number >= 5";
  expect(await afterAttack(...forged, renamed)).toEqual([
    { block: 8, problem: "the newest block is signed with a key that this server does not have" },
  ]);
  await inRolledBackTransaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const statement of [...forged, renamed]) await tx.execute(sql.raw(statement));
    await write({ ...createWriter("after"), db: tx }, 1);
    await expect(sealAuditEntries({ ...job(), db: tx })).rejects.toThrow(/^Audit block 8 is not signed/);
  });
});

test("an earlier secret may be removed once a newer one signed a block", async () => {
  const dropped = "update audit_blocks set signature = '\\x00000000' || substring(signature from 5) where number < 8";
  expect(await afterAttack(dropped)).toEqual([]);
});

const changed = { problem: "the block was changed" };
const unfollowed = (block: number) => ({ block, problem: `the block does not follow block ${block - 1}` });

test.each<[attack: string, faults: ChainFault[]]>([
  ["update audit_blocks set sealed_at = sealed_at - interval '1 hour' where number = 3", [{ block: 3, ...changed }]],
  ["update audit_blocks set sealed_through = gen_random_uuid() where number = 3", [{ block: 3, ...changed }]],
  [
    "update audit_blocks set hash = sha256('other') where number = 3",
    [{ block: 3, ...changed }, { block: 3, problem: "the block's signature is wrong" }, unfollowed(4)],
  ],
  [
    "update audit_blocks set previous_hash = sha256('other') where number = 3",
    [unfollowed(3), { block: 3, ...changed }],
  ],
  [
    "update audit_blocks set previous_hash = sha256('other') where number = 1",
    [
      { block: 1, problem: "the block is not the first" },
      { block: 1, ...changed },
    ],
  ],
  [
    "update audit_blocks set signature = decode(repeat('00', 36), 'hex') where number = 8",
    [{ block: 8, problem: "the newest block is signed with a key that this server does not have" }],
  ],
])("%s is detected", async (attack, faults) => {
  expect(await afterAttack(attack)).toEqual(faults);
});

test("a removed block is detected, and its entries are in no block", async () => {
  const faults = await afterAttack("delete from audit_blocks where number = 3");
  expect(faults[0]).toEqual({ block: 4, problem: "the block does not follow block 2: blocks between are missing" });
  const entries = (await sealedRows()).filter(({ block }) => block === 3).map(({ id }) => id);
  expect(faults.slice(1).map(({ entry }) => entry)).toEqual(entries);
});

test("swapped blocks are detected", async () => {
  const faults = await afterAttack(
    "update audit_blocks set number = 100 where number = 3",
    "update audit_blocks set number = 3 where number = 4",
    "update audit_blocks set number = 4 where number = 100",
  );
  expect(faults).toEqual([
    unfollowed(3),
    { block: 3, ...changed },
    unfollowed(4),
    { block: 4, ...changed },
    unfollowed(5),
  ]);
});

test("swapped entries of a block are detected", async () => {
  const swapped = "array[entry_ids[2], entry_ids[1]] || entry_ids[3:]";
  const faults = await afterAttack(`update audit_blocks set entry_ids = ${swapped} where number = 3`);
  expect(faults.map(({ problem }) => problem)).toEqual([
    changed.problem,
    "the entry was changed",
    "the entry was changed",
  ]);
});

test("a truncated end is detected by a hash recorded before", async () => {
  const { newest } = await verify();
  if (!newest) throw new Error("there are blocks");
  expect((await verify(db(), newest)).faults).toEqual([]);
  await inRolledBackTransaction(async (tx) => {
    for (const statement of [
      "set local session_replication_role = replica",
      "delete from audit_entries where id > (select sealed_through from audit_blocks where number = 6)",
      "delete from audit_blocks where number > 6",
    ]) {
      await tx.execute(sql.raw(statement));
    }
    // The shorter chain is valid in itself.
    expect((await verify(tx)).faults).toEqual([]);
    const missing = { block: newest.number, problem: "the block is missing" };
    expect((await verify(tx, newest)).faults).toEqual([missing]);
    const other = { block: 2, problem: expect.stringMatching(/^the block's hash is [0-9a-f]{64}, not [0-9a-f]{64}$/) };
    expect((await verify(tx, { number: 2, hash: newest.hash })).faults).toEqual([other]);
  });
});

test("an entry whose time differs from its id is sealed and reported", async () => {
  await inRolledBackTransaction(async (tx) => {
    await tx.execute(sql.raw(copyAt(Date.now(), { created_at: "now() - interval '3 days'" })));
    await sealAuditEntries({ ...job(), db: tx });
    const problem = "the entry's time differs from when it was written";
    expect((await verify(tx)).faults).toEqual([{ block: hours + 1, entry: expect.any(String), problem }]);
  });
});

test("an entry whose transaction commits late is in a later block", async () => {
  let commit = () => {};
  const committed = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let inserted = () => {};
  const isInserted = new Promise<void>((resolve) => {
    inserted = resolve;
  });
  const late = inTransaction(createWriter("late"), async (inside) => {
    await write(inside, 1);
    inserted();
    await committed;
  });
  await isInserted;
  await write(createWriter("in time"), 1);
  const before = await verify();
  expect(await sealAuditEntries(job())).toBe(before.waiting);
  expect((await verify()).waiting).toBe(0);
  commit();
  await late;
  expect(await verify()).toMatchObject({ waiting: 1, faults: [] });
  expect(await sealAuditEntries(job())).toBe(1);
  expect(await verify()).toMatchObject({ waiting: 0, sealed: before.sealed + 2, faults: [] });
});

test("an entry that comes late while another was removed is reported with it, and sealed once there is one more", async () => {
  await write(createWriter("sealed"), 2);
  await sealAuditEntries(job());
  const [removed] = (await sealedRows()).slice(-1);
  await inRolledBackTransaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from audit_entries where id = ${removed?.id}`);
    await tx.execute(sql.raw(copyAt(Date.now() - minute, { created_at: "now()" })));
    expect(await sealAuditEntries({ ...job(), db: tx })).toBe(0);
    const fault = { block: removed?.block, entry: removed?.id, problem: "the entry was removed" };
    expect(await verify(tx)).toMatchObject({ waiting: 1, faults: [fault] });
    await tx.execute(sql.raw(copyAt(Date.now() - minute, { created_at: "now()" })));
    expect(await sealAuditEntries({ ...job(), db: tx })).toBe(2);
    expect(await verify(tx)).toMatchObject({ waiting: 0, faults: [fault] });
  });
});

test("an entry of the last seconds waits for the next block", async () => {
  await write(createWriter("now"), 1);
  expect(await sealAuditEntries(job(() => new Date()))).toBe(0);
  expect(await sealAuditEntries(job())).toBe(1);
});

test("20 writers lose no entry while four processes seal, and the chain does not fork", async () => {
  const before = await verify();
  let writing = true;
  const sealRuns = Array.from({ length: 4 }, async () => {
    // Entries are sealed the moment they are visible, so that many are committed after later ones were sealed.
    while (writing) await sealAuditEntries(job());
  });
  const writers = Array.from({ length: 20 }, async (_, writerNumber) => {
    for (let round = 0; round < 8; round += 1) {
      await inTransaction(createWriter(`writer ${writerNumber}`), async (inside) => {
        await write(inside, 3);
        await inside.db.execute(sql`select pg_sleep(${Math.random() * 0.03})`);
      });
    }
  });
  await Promise.all(writers);
  writing = false;
  await Promise.all(sealRuns);
  await sealAuditEntries(job());
  const report = await verify();
  expect(report).toMatchObject({ sealed: before.sealed + 20 * 8 * 3, waiting: 0, faults: [] });
  expect(report.blocks).toBeGreaterThan(before.blocks);
  const blocks = await db().select().from(auditBlocks).orderBy(auditBlocks.number);
  const ids = blocks.flatMap(({ entryIds }) => entryIds);
  expect(new Set(ids).size).toBe(ids.length);
  // Otherwise the test would not cover entries that are committed late.
  const withLate = blocks.filter(({ entryIds }, at) => (entryIds[0] ?? "") < (blocks[at - 1]?.sealedThrough ?? ""));
  expect(withLate.length).toBeGreaterThan(0);
});
