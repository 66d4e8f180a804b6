import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { setBuiltThreadsFolder } from "#app/built-module.server.ts";
import { SheetError } from "#app/sheets/sheet-error.ts";
import { WorkerThread } from "#app/sheets/worker-thread.server.ts";

const folder = mkdtempSync(join(tmpdir(), "endcap-threads-"));
const answering = "const { parentPort } = require('node:worker_threads'); parentPort.on('message', ({ id, kind }) => {";
const programs = {
  throws: "throw new Error('does not load');",
  exits: "process.exit(3);",
  answers: `let count = 0; ${answering} count += 1; parentPort.postMessage({ id, count }); });`,
  exhausts: `${answering} for (const all = []; ; ) all.push("a,".repeat(100_000).split(",")); });`,
  litters: `${answering} for (let i = 0; i < 150; i += 1) "a,".repeat(100_000).split(","); parentPort.postMessage({ id }); });`,
  loops: `${answering} for (;;); });`,
};

beforeAll(() => {
  for (const [name, program] of Object.entries(programs)) writeFileSync(join(folder, `${name}.js`), program);
  setBuiltThreadsFolder(folder);
});

afterAll(() => {
  setBuiltThreadsFolder(inject("threads"));
  rmSync(folder, { recursive: true, force: true });
});

function thread(name: string, megabytes = 32) {
  return new WorkerThread<object, { id: number; count?: number }>(`threads/${name}.ts`, { megabytes });
}

test.each([
  ["missing", /Cannot find module/],
  ["throws", /does not load/],
  ["exits", /the thread ended/],
])("a thread that fails before it is ready fails the request: %s", async (name, reason) => {
  const failing = thread(name);
  await expect(failing.request({})).rejects.toThrow(reason);
  await expect(failing.request({})).rejects.toThrow(reason);
  await failing.close();
});

test("each thread is new, with a state of its own", async () => {
  for (let time = 0; time < 2; time += 1) {
    const own = thread("answers");
    expect((await Promise.all([own.request({}), own.request({})])).map(({ count }) => count)).toEqual([1, 2]);
    await own.close();
  }
});

test("only the thread that exceeds its memory limit ends", async () => {
  const exhausted = thread("exhausts");
  await expect(exhausted.request({})).rejects.toThrow(SheetError);
  await exhausted.close();
});

test("memory that a thread no longer uses does not count", async () => {
  const littering = thread("litters", 64);
  await expect(littering.request({})).resolves.toMatchObject({ id: 0 });
  await littering.close();
});

test("a thread that exceeds the time of a request ends, and one that does not goes on", async () => {
  const looping = new WorkerThread<object, { id: number }>("threads/loops.ts", { requestMs: 300 });
  await expect(looping.request({})).rejects.toThrow(/takes too long/);
  await expect(looping.request({})).rejects.toThrow(SheetError);
  // The time that the thread takes to load, which no limit of a test can know, does not count.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const answering = new WorkerThread<object, { id: number; count: number }>("threads/answers.ts", { requestMs: 300 });
  await answering.request({});
  vi.advanceTimersByTime(400);
  await expect(answering.request({})).resolves.toMatchObject({ count: 2 });
  await answering.close();
});

test("close ends a thread that never finishes", async () => {
  const looping = thread("loops");
  const pending = looping.request({});
  await Promise.all([expect(pending).rejects.toThrow(/the thread ended/), looping.close()]);
  await expect(looping.request({})).rejects.toThrow(/the thread ended/);
});
