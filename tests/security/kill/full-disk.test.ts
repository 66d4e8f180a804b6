import { randomBytes } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { people } from "#tests/domain/audiences/an-audience.ts";
import { sheetXml, workbookFiles } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import { smallDisk } from "./small-disk.ts";
import { useUploadServer, useUploadServerWithDatabase } from "./upload-server.ts";

vi.setConfig({ testTimeout: faultTimeoutMs });
const MiB = 1024 * 1024;

const cells = (count: number) =>
  Array.from(
    { length: count },
    (_, index) => `<row><c t="inlineStr"><is><t>${index ? `person${index}@example.com` : "Email"}</t></is></c></row>`,
  );
/** Returns a workbook of this many megabytes, most of which is irrelevant data. */
function workbook(megabytes: number, count = 1_500): Buffer {
  const more = [{ name: "xl/media/picture", data: randomBytes(megabytes * MiB), stored: true }];
  return zip(workbookFiles({ sheets: [{ name: "1", xml: sheetXml(cells(count + 1).join("")) }], more }));
}

const spoolDisk = smallDisk(4);
describe.runIf(spoolDisk)("a full disk where files wait", () => {
  const app = useUploadServer({ temporary: spoolDisk?.folder });
  afterAll(() => spoolDisk?.remove());

  test("gets an error message, leaves nothing, and everything works again once there is space", async () => {
    const audienceId = await app.makeAudience();
    const headers = { ...app.headers(), "Idempotency-Key": crypto.randomUUID() };
    const ballast = join(app.temporary, "ballast");
    const fillUpTo = (left: number) => writeFileSync(ballast, Buffer.alloc(free(app.temporary) - left));
    fillUpTo(MiB / 2);
    const sheet = { audienceId, headers, files: [{ name: "people.xlsx", content: workbook(1) }] };
    const refused = await app.send(sheet);
    expect([refused?.status, refused?.text]).toEqual([
      503,
      expect.stringMatching(/"code":"unavailable".*can't accept the file.*Try again in a few minutes/),
    ]);
    const form = { ...sheet, path: `/publisher/audiences/${audienceId}/uploads`, headers: app.publisher().api.headers };
    const page = await app.send(form);
    expect([page?.status, page?.text]).toEqual([
      503,
      expect.stringMatching(/accept the file right now.*Try again in a few minutes/),
    ]);
    expect(await app.rowOf(audienceId)).toMatchObject({ version: 0, status: "building" });
    rmSync(ballast);
    expect(app.leftovers()).toEqual([]);
    expect(free(app.temporary)).toBeGreaterThan(3 * MiB);

    // The file may be sent again with its key, because the request itself was valid.
    expect(await app.upload(sheet)).toMatchObject({ status: "succeeded", size: 1_500 });
    // A plain table needs no disk.
    fillUpTo(0);
    const table = { audienceId, mode: "replace", files: [{ content: people(20_000) }] };
    expect(await app.upload(table)).toMatchObject({ status: "succeeded", size: 20_000 });
    expect(await findBrokenInvariants(app.db())).toEqual({});
    expect(app.output()).toMatch(/ENOSPC/);
    expect(app.output()).not.toMatch(/uncaught|unhandled/);
  });
});

// A weaker version of the test, for machines where no small disk can be mounted.
describe.runIf(isFullFaultRun || !spoolDisk)("an unwritable folder where files wait", () => {
  const app = useUploadServer();

  test("gets an error message, and other requests work", async () => {
    const audienceId = await app.makeAudience();
    const spools = join(app.temporary, "endcap-spool");
    rmSync(spools, { recursive: true, force: true });
    writeFileSync(spools, "in the way");
    const sheet = { audienceId, files: [{ name: "people.xlsx", content: workbook(0) }] };
    const refused = await app.send(sheet);
    expect([refused?.status, refused?.text]).toEqual([
      503,
      expect.stringMatching(/"code":"unavailable".*Try again in a few minutes/),
    ]);
    expect(await app.rowOf(audienceId)).toMatchObject({ version: 0, status: "building" });
    expect(await app.upload({ audienceId, files: [{ content: people(1_200) }] })).toMatchObject({ size: 1_200 });
    rmSync(spools);
    expect(await app.upload({ ...sheet, mode: "replace" })).toMatchObject({ status: "succeeded", size: 1_500 });
    expect(await findBrokenInvariants(app.db())).toEqual({});
    expect(app.output()).not.toMatch(/uncaught|unhandled/);
  });
});

const dataDisk = isFullFaultRun ? smallDisk(300) : undefined;
describe.runIf(dataDisk)("a full disk under the database", () => {
  const app = useUploadServerWithDatabase({ dataDir: join(dataDisk?.folder ?? "", "data") });
  afterAll(() => dataDisk?.remove());

  test("fails the upload with a message; the data from before is unchanged", async () => {
    const audienceId = await app.makeAudience();
    await app.upload({ audienceId, files: [{ content: people(1_200) }] });
    const before = await app.rowOf(audienceId);
    const ballast = join(dataDisk?.folder ?? "", "ballast");
    writeFileSync(ballast, Buffer.alloc(Math.max(0, free(dataDisk?.folder ?? "") - 6 * MiB)));

    const large = { audienceId, mode: "replace", files: [{ content: people(400_000) }] };
    const reply = await app.send(large);
    expect([202, 503, 507]).toContain(reply?.status);
    await vi.waitFor(async () => expect(await health()).toBe(503), 20_000).catch(() => undefined);
    rmSync(ballast);
    await app.server().stop();
    await app.start(app.server().port);
    expect(await app.rowOf(audienceId)).toEqual(before);
    expect(await app.upload(large)).toMatchObject({ status: "succeeded", size: 400_000 });
    expect(await findBrokenInvariants(app.db())).toEqual({});
    expect(app.output()).not.toMatch(/uncaught|unhandled/);
  });

  async function health(): Promise<number> {
    return (await fetch(`${app.server().origin}/readyz`)).status;
  }
});

function free(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
