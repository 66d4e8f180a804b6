import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { extractText, getDocumentProxy } from "unpdf";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { setBuiltThreadsFolder } from "#app/built-module.server.ts";
import type { PdfDocument } from "#app/documents/paper-document.ts";
import { type PdfError, PdfPool } from "#app/documents/pdf-pool.server.ts";
import { longestTurn } from "#tests/support/servers/longest-turn.ts";

const document: PdfDocument = {
  title: "Statement for November 2026",
  subtitle: "Harbor Goods",
  issuer: "Endcap",
  createdAt: new Date("2026-11-21T12:00:00Z"),
  facts: [],
  table: {
    columns: [
      { head: "Campaign", width: 4 },
      { head: "Amount", width: 2, right: true },
    ],
    rows: Array.from({ length: 120 }, (_, at) => [`Campaign number ${at + 1}.`, `$${at}.00`]),
  },
};

/** Threads that answer after a while, never, wrongly and not at all. */
const folder = mkdtempSync(join(tmpdir(), "endcap-pdf-threads-"));
const answering =
  "const { parentPort } = require('node:worker_threads'); let count = 0; parentPort.on('message', ({ id, document, next }) => { count += 1;";
const chunk = (text: string) =>
  `parentPort.postMessage({ id, kind: "chunk", bytes: new Uint8Array(Buffer.from(${text})) })`;
const end = `parentPort.postMessage({ id, kind: "end" })`;
const programs = {
  slow: `${answering} setTimeout(() => next ? ${end} : ${chunk("document.title")}, 50); });`,
  endless: `${answering} ${chunk("String(count).padEnd(1000)")}; });`,
  "fails later": `${answering} if (document) ${chunk("'%PDF-'")}; else parentPort.postMessage({ id, kind: "failed", defect: "TypeError\\n    at here" }); });`,
  "hangs later": `${answering} if (document) ${chunk("'%PDF-'")}; else for (;;); });`,
  "exits later": `${answering} if (document) ${chunk("'%PDF-'")}; else process.exit(3); });`,
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
  setBuiltThreadsFolder(inject("threads"));
  for (const pool of open.splice(0)) await pool.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function poolOf(name: keyof typeof programs, limits: ConstructorParameters<typeof PdfPool>[0] = {}): PdfPool {
  setBuiltThreadsFolder(folder);
  const pool = new PdfPool({ threads: 2, ...limits, module: `threads/${name}.ts` });
  open.push(pool);
  return pool;
}

const createDocument = (title: string): PdfDocument => ({ ...document, title });
const bytesOf = async (stream: Promise<ReadableStream<Uint8Array>>) =>
  new Uint8Array(await new Response(await stream).arrayBuffer());
const problems = async (asked: Promise<ReadableStream<Uint8Array>>[]) =>
  (await Promise.allSettled(asked.map(bytesOf))).map((end) =>
    end.status === "fulfilled" ? "written" : end.reason.problem,
  );

test("a document is written in a thread, identical to one written in the event loop", async () => {
  const pool = new PdfPool({ maxWriteMs: 60_000 });
  open.push(pool);
  const short = { ...document, table: { ...document.table, rows: document.table.rows.slice(0, 1) } };
  await bytesOf(pool.write(short, { account: "one" }));
  const { result, longestMs } = await longestTurn(() => bytesOf(pool.write(document, { account: "one" })));
  expect(longestMs).toBeLessThan(50);
  const { text } = await extractText(await getDocumentProxy(result), { mergePages: true });
  for (const [name = ""] of document.table.rows) expect(text).toContain(name);
});

test("each request gets its own document; those of one account run one after another", async () => {
  const pool = poolOf("slow");
  const titles = ["a1", "a2", "a3", "b1", "b2"];
  const written = await Promise.all(
    titles.map((title) => bytesOf(pool.write(createDocument(title), { account: title.charAt(0) }))),
  );
  expect(written.map((bytes) => Buffer.from(bytes).toString())).toEqual(titles);
});

test("of one account two wait and further ones are rejected at once; all others are written", async () => {
  const pool = poolOf("slow");
  const asked = ["a", "a", "a", "a", "a", "b"].map((account) => pool.write(document, { account }));
  expect(await problems(asked)).toEqual(["written", "written", "written", "account_busy", "account_busy", "written"]);
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["written"]);
});

test("a request that waits too long is told why: its own document, or all threads are busy", async () => {
  const pool = poolOf("hangs", { threads: 1, maxWaitMs: 100, maxWriteMs: 1_000 });
  const asked = ["a", "a", "b"].map((account) => pool.write(document, { account }));
  expect(await problems(asked)).toEqual(["failed", "account_busy", "busy"]);
  const full = poolOf("slow", { threads: 1, waitingInAll: 1 });
  expect(await problems(["a", "b", "c"].map((account) => full.write(document, { account })))).toEqual([
    ...["written", "written", "busy"],
  ]);
});

test("a document is not written for a client that disconnected while waiting", async () => {
  const pool = poolOf("slow", { threads: 1, waitingInAll: 1 });
  const first = pool.write(document, { account: "a" });
  const leaving = new AbortController();
  const second = pool.write(document, { account: "b", signal: leaving.signal });
  leaving.abort();
  await expect(second).rejects.toThrow(/aborted/);
  expect(await problems([first, pool.write(document, { account: "c" })])).toEqual(["written", "written"]);
});

test.each(["hangs", "fails", "throws", "exits"] as const)("a thread that %s fails its document only", async (name) => {
  const pool = poolOf(name, { threads: 1, maxWriteMs: 1_000 });
  const begin = performance.now();
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["failed"]);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["failed"]);
});

test("a thread that cannot be started fails its document only", async () => {
  const pool = poolOf("slow", { threads: 1 });
  // Node starts none from such a path.
  setBuiltThreadsFolder("threads");
  expect(await problems([pool.write(document, { account: "a" })])).toEqual(["failed"]);
  setBuiltThreadsFolder(folder);
  const asked = ["a", "b"].map((account) => pool.write(document, { account }));
  expect(await problems(asked)).toEqual(["written", "written"]);
});

test("a document is sent in chunks, page by page", async () => {
  const pool = new PdfPool({ maxWriteMs: 60_000, bufferBytes: 1 });
  open.push(pool);
  const reader = (await pool.write(document, { account: "one" })).getReader();
  const sizes: number[] = [];
  for (;;) {
    const { value } = await reader.read();
    if (!value) break;
    sizes.push(value.byteLength);
  }
  // Four pages and what they share.
  expect(sizes.length).toBeGreaterThan(4);
});

test("a client that does not read pauses the thread, and its document is aborted after a while", async () => {
  const pool = poolOf("endless", { threads: 1, maxWriteMs: 1_500, bufferBytes: 5_000 });
  const stream = await pool.write(document, { account: "a" });
  await sleep(200);
  const reader = stream.getReader();
  const read = async () => Number(Buffer.from((await reader.read()).value ?? []).toString());
  // Five chunks fill the buffer: nothing more was written while nobody read.
  const counts = [await read(), await read(), await read(), await read(), await read()];
  expect(counts).toEqual([1, 2, 3, 4, 5]);
  await expect(reader.closed).rejects.toThrow(/not fetched in time/);
  expect(await problems([poolOf("slow").write(document, { account: "a" })])).toEqual(["written"]);
});

test("the account's next document waits for the stream to end; a disconnected client's stream ends", async () => {
  const pool = poolOf("endless", { threads: 2, maxWaitMs: 100, maxWriteMs: 5_000, bufferBytes: 1 });
  const stream = await pool.write(document, { account: "a" });
  await expect(pool.write(document, { account: "a" })).rejects.toMatchObject({ problem: "account_busy" });
  await stream.cancel();
  const leaving = new AbortController();
  const second = await pool.write(document, { account: "a", signal: leaving.signal });
  leaving.abort();
  await expect(second.getReader().read()).rejects.toThrow(/aborted/);
  const third = await pool.write(document, { account: "a" });
  await third.cancel();
});

test.each(["fails later", "hangs later", "exits later"] as const)(
  "when a thread %s the stream is aborted, and the log has the reason",
  async (name) => {
    const causes: unknown[] = [];
    const pool = poolOf(name, { threads: 1, maxWriteMs: 1_000 });
    const onBreak = ({ cause }: PdfError) => void causes.push(cause);
    const stream = await pool.write(document, { account: "a", onBreak });
    await expect(new Response(stream).arrayBuffer()).rejects.toThrow();
    await expect.poll(() => causes.length).toBe(1);
    const next = await pool.write(document, { account: "a" });
    await next.cancel();
  },
);

test("a defect in writing is logged with its stack", async () => {
  const error: unknown = await poolOf("fails")
    .write(document, { account: "a" })
    .catch((failed: unknown) => failed);
  expect(error).toMatchObject({
    problem: "failed",
    cause: { name: "ThreadDefect", stack: expect.stringContaining("at here") },
  });
});
