import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { limitLogFile } from "#db/limit-log-file.ts";

function aLogFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "endcap-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "postgres.log");
}

test("a log that goes on growing keeps its last lines in two files of a limited size", async () => {
  const file = aLogFile();
  // Opened as PostgreSQL's is, once for the life of the process.
  const log = openSync(file, "a", 0o600);
  onTestFinished(() => closeSync(log));
  onTestFinished(limitLogFile(file, { maxBytes: 1_000, everyMs: 5 }));
  writeSync(log, `${"older ".repeat(200)}\n`);
  await expect.poll(() => statSync(file).size).toBe(0);
  writeSync(log, `${"newer ".repeat(200)}\n`);
  await expect.poll(() => statSync(file).size).toBe(0);
  writeSync(log, "newest\n");
  expect(readFileSync(file, "utf8")).toBe("newest\n");
  expect(readFileSync(`${file}.1`, "utf8")).toMatch(/^(newer )+\n$/);
  expect(statSync(`${file}.1`).mode & 0o777).toBe(0o600);
});

test("a log that is too large already is limited at once, and no more after the end", async () => {
  const file = aLogFile();
  writeFileSync(file, "x".repeat(2_000));
  const end = limitLogFile(file, { maxBytes: 1_000, everyMs: 5 });
  expect(statSync(file).size).toBe(0);
  end();
  writeFileSync(file, "x".repeat(2_000));
  await new Promise((done) => setTimeout(done, 30));
  expect(statSync(file).size).toBe(2_000);
});
