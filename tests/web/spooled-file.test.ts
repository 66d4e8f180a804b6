import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { read, utils } from "@e965/xlsx";
import { expect, onTestFinished, test, vi } from "vitest";
import { createXlsxWriter } from "#app/sheets/xlsx-writer.server.ts";
import { spoolFile } from "#app/web/spooled-file.server.ts";

const text = (value: string) => new TextEncoder().encode(value);
const fileOf = (megabytes: number) =>
  spoolFile(async (write) => {
    for (let at = 0; at < megabytes; at += 1) await write(new Uint8Array(1_048_576).fill(at));
    return { before: text("begin"), after: text("end") };
  });

/** Returns the number of unlinked spool files that this process has open. */
function openSpools(): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes("endcap-spool");
    } catch {
      return false;
    }
  }).length;
}

async function settled(): Promise<number> {
  for (let tries = 0; tries < 100 && openSpools() > 0; tries += 1) await sleep(10);
  return openSpools();
}

test("a file is read as it was written, with its prefix and suffix", async () => {
  const bytes = Buffer.concat(await (await fileOf(3)).toArray());
  expect(bytes.length).toBe(3 * 1_048_576 + 8);
  expect([bytes.subarray(0, 5).toString(), bytes.subarray(-3).toString()]).toEqual(["begin", "end"]);
  for (const at of [0, 1, 2]) expect(bytes[5 + at * 1_048_576 + 1_000]).toBe(at);
  expect((await (await spoolFile(async () => ({ before: text(""), after: text("") }))).toArray()).length).toBe(0);
});

test.runIf(process.platform === "linux")("it is deleted when it was read, abandoned, or aborted", async () => {
  await (await fileOf(1)).toArray();
  for await (const _ of await fileOf(2)) break;
  (await fileOf(2)).destroy();
  const file = await fileOf(2);
  file.read();
  file.destroy();
  await expect(
    spoolFile(() => {
      throw new Error("half way");
    }),
  ).rejects.toThrow("half way");
  expect(await settled()).toBe(0);
});

test.runIf(process.platform === "linux")("one that is never read is deleted after ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const file = await fileOf(1);
  vi.advanceTimersByTime(599_999);
  expect(file.destroyed).toBe(false);
  vi.advanceTimersByTime(1);
  vi.useRealTimers();
  expect(await settled()).toBe(0);
  await expect(file.toArray()).rejects.toThrow("not read in time");
});

test("a waiting reader gets data as it arrives, and no more than it reads", async () => {
  const file = await fileOf(8);
  file.read();
  await sleep(50);
  expect(file.readableLength).toBeLessThan(262_144);
  file.destroy();
});

test("a workbook written in pieces is valid, with as many rows as were written", async () => {
  const file = await spoolFile(async (write) => {
    const book = createXlsxWriter({ sheet: "Rows", formats: [null, "whole"], write });
    await book.add([["Name", "Count"]], { bold: true });
    for (let from = 0; from < 20_000; from += 2_000)
      await book.add(Array.from({ length: 2_000 }, (_, at) => [`Row ${from + at} & <more>`, from + at]));
    return book.end();
  });
  const sheet = read(Buffer.concat(await file.toArray()), { type: "buffer" }).Sheets.Rows ?? {};
  const rows = utils.sheet_to_json<{ Name: string; Count: number }>(sheet);
  expect(rows.length).toBe(20_000);
  expect(rows.at(-1)).toEqual({ Name: "Row 19999 & <more>", Count: 19_999 });
});

test("a disk error ends a workbook with that error", async () => {
  const full = new Error("no space left");
  const making = spoolFile(async () => {
    const book = createXlsxWriter({ sheet: "Rows", formats: [null], write: () => Promise.reject(full) });
    for (let more = 0; more < 50; more += 1)
      await book.add(Array.from({ length: 2_000 }, () => [String(Math.random())]));
    return book.end();
  });
  await expect(making).rejects.toBe(full);
});
