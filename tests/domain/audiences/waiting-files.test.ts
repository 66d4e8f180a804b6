import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { keepFiles } from "#app/domain/audiences/files/waiting-files.server.ts";
import { expectRefusal } from "#tests/support/refusals.ts";
import { aFile, people } from "./an-audience.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "endcap-waiting-"));
  vi.stubEnv("TMPDIR", folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

async function* sent(...files: ReturnType<typeof aFile>[]) {
  yield* files;
}

test("files that wait are read as they came, and have no name on the disk meanwhile", async () => {
  const kept = await keepFiles(sent(aFile(people(3)), aFile(people(2), { name: "more.csv" })));
  expect(readdirSync(join(folder, "endcap-spool"))).toEqual([]);
  const read: string[] = [];
  for await (const file of kept) read.push(`${file.name} ${Buffer.concat(await file.stream.toArray())}`);
  expect(read).toEqual([`people.csv ${people(3)}`, `more.csv ${people(2)}`]);
});

test("a file over its limit does not wait: its upload is refused at once, by its name", async () => {
  const kept = keepFiles(sent(aFile(people(3)), aFile(people(9), { name: "all.csv", isTruncated: () => true })));
  await expect(kept).rejects.toMatchObject({ tooLarge: true, message: expect.stringMatching(/^all\.csv: .*100 MB/) });
});

test("where nothing can be written, the sender is told to send it again", async () => {
  writeFileSync(join(folder, "endcap-spool"), "not a folder");
  await expectRefusal(keepFiles(sent(aFile(people(3)))), "unavailable", /no room.*Send it again\.$/);
});
