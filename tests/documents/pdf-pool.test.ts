import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import type { PaperDocument } from "#app/documents/paper-document.ts";
import { PdfPool } from "#app/documents/pdf-pool.server.ts";
import { useBuiltThreads } from "#app/sheets/worker-thread.server.ts";
import { longestTurn } from "#tests/support/longest-turn.ts";

const document: PaperDocument = {
  title: "Statement for November 2026",
  subtitle: "Harbor Goods",
  issuer: "Endcap",
  madeAt: new Date("2026-11-21T12:00:00Z"),
  facts: [],
  table: {
    columns: [
      { head: "Campaign", width: 4 },
      { head: "Amount", width: 2, right: true },
    ],
    rows: Array.from({ length: 230 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]),
  },
};

/** Threads that answer after a while, never, wrongly and not at all. */
const folder = mkdtempSync(join(tmpdir(), "endcap-pdf-threads-"));
const answering =
  "const { parentPort } = require('node:worker_threads'); parentPort.on('message', ({ id, document }) => {";
const programs = {
  slow: `${answering} setTimeout(() => parentPort.postMessage({ id, kind: "written", bytes: Buffer.from(document.title) }), 50); });`,
  hangs: `${answering} for (;;); });`,
  fails: `${answering} parentPort.postMessage({ id, kind: "failed", defect: "TypeError\\n    at here" }); });`,
  throws: `${answering} throw new TypeError("broken"); });`,
  exits: "process.exit(3);",
};
beforeAll(() => {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, `${name}.js`), program);
});
const open: PdfPool[] = [];
afterEach(async () => {
  useBuiltThreads(inject("threads"));
  for (const pool of open.splice(0)) await pool.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function poolOf(name: keyof typeof programs, limits: ConstructorParameters<typeof PdfPool>[0] = {}): PdfPool {
  useBuiltThreads(folder);
  const pool = new PdfPool({ threads: 2, ...limits, module: `threads/${name}.ts` });
  open.push(pool);
  return pool;
}

const paper = (title: string): PaperDocument => ({ ...document, title });
const problems = async (asked: Promise<unknown>[]) =>
  (await Promise.allSettled(asked)).map((end) => (end.status === "fulfilled" ? "written" : end.reason.problem));

test("a document is written beside the event loop, the same as in it", async () => {
  const pool = new PdfPool({ maxWriteMs: 60_000 });
  open.push(pool);
  await pool.write(paper("first"), { account: "one" });
  const { result, longestMs } = await longestTurn(() => pool.write(document, { account: "one" }));
  expect(longestMs).toBeLessThan(50);
  const { text } = await extractText(await getDocumentProxy(result), { mergePages: true });
  for (const [name = ""] of document.table.rows) expect(text).toContain(name);
});

test("each asker gets the own document, of one account one after another", async () => {
  const pool = poolOf("slow");
  const titles = ["a1", "a2", "a3", "b1", "b2"];
  const written = await Promise.all(titles.map((title) => pool.write(paper(title), { account: title.charAt(0) })));
  expect(written.map((bytes) => Buffer.from(bytes).toString())).toEqual(titles);
});

test("of one account two wait and the next are told so at once; the others are written all the same", async () => {
  const pool = poolOf("slow");
  const asked = ["a", "a", "a", "a", "a", "b"].map((account) => pool.write(document, { account }));
  expect(await problems(asked)).toEqual(["written", "written", "written", "account_busy", "account_busy", "written"]);
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["written"]);
});

test("who waits too long is told so: for its own document, or for everybody's", async () => {
  const pool = poolOf("hangs", { threads: 1, maxWaitMs: 100, maxWriteMs: 1_000 });
  const asked = ["a", "a", "b"].map((account) => pool.write(document, { account }));
  expect(await problems(asked)).toEqual(["failed", "account_busy", "busy"]);
  const full = poolOf("slow", { threads: 1, waitingInAll: 1 });
  expect(await problems(["a", "b", "c"].map((account) => full.write(document, { account })))).toEqual([
    ...["written", "written", "busy"],
  ]);
});

test("who goes away while it waits is not written for", async () => {
  const pool = poolOf("slow", { threads: 1, waitingInAll: 1 });
  const first = pool.write(document, { account: "a" });
  const leaving = new AbortController();
  const second = pool.write(document, { account: "b", signal: leaving.signal });
  leaving.abort();
  await expect(second).rejects.toThrow(/aborted/);
  expect(await problems([first, pool.write(document, { account: "c" })])).toEqual(["written", "written"]);
});

test.each(["hangs", "fails", "throws", "exits"] as const)("a thread that %s ends its document only", async (name) => {
  const pool = poolOf(name, { threads: 1, maxWriteMs: 1_000 });
  const begin = performance.now();
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["failed"]);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["failed"]);
});

test("a defect in writing is told by its place, for the log", async () => {
  const error: unknown = await poolOf("fails")
    .write(document, { account: "a" })
    .catch((failed: unknown) => failed);
  expect(error).toMatchObject({
    problem: "failed",
    cause: { name: "ThreadDefect", stack: expect.stringContaining("at here") },
  });
});
