import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { spoolFiles } from "#app/domain/audiences/files/spool-files.server.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { useTemporaryFolder } from "#tests/support/use-temporary-folder.ts";
import { createFilePart, people } from "./an-audience.ts";

const folder = useTemporaryFolder();

async function* sent(...files: ReturnType<typeof createFilePart>[]) {
  yield* files;
}

test("waiting files are read as they arrived, and have no name on the disk meanwhile", async () => {
  const spooled = await spoolFiles(sent(createFilePart(people(3)), createFilePart(people(2), { name: "more.csv" })));
  expect(readdirSync(join(folder(), "endcap-spool"))).toEqual([]);
  const read: string[] = [];
  for await (const file of spooled) read.push(`${file.name} ${Buffer.concat(await file.stream.toArray())}`);
  expect(read).toEqual([`people.csv ${people(3)}`, `more.csv ${people(2)}`]);
});

test("a file over its limit does not wait: its upload is rejected at once, with its name", async () => {
  const spooled = spoolFiles(
    sent(createFilePart(people(3)), createFilePart(people(9), { name: "all.csv", isTruncated: () => true })),
  );
  await expect(spooled).rejects.toMatchObject({
    tooLarge: true,
    message: expect.stringMatching(/^all\.csv: .*100 MB/),
  });
});

test("where nothing can be written, the sender is asked to upload again", async () => {
  writeFileSync(join(folder(), "endcap-spool"), "not a folder");
  await expectDomainError(
    spoolFiles(sent(createFilePart(people(3)))),
    "unavailable",
    /can't accept the file right now.*Try again in a few minutes\.$/,
  );
});
