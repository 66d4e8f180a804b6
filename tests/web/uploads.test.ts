import { expect, test } from "vitest";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { openMultipart } from "#app/web/uploads.server.ts";

/** Far more than the streams in between hold. */
const large = 5 * 1024 * 1024;

function request(files = 2): Request {
  const form = new FormData();
  form.append("name", "Anglers");
  for (let index = 0; index < files; index += 1) {
    form.append("file", new File([new Uint8Array(large)], `file-${index}.csv`));
  }
  return new Request("http://localhost/upload", { method: "POST", body: form });
}

async function firstOf(files: AsyncIterable<ReceivedFile>): Promise<ReceivedFile> {
  for await (const file of files) return file;
  throw new Error("no file came");
}

test("fields come before the first file, and files one after another", async () => {
  const { fields, files, discard } = await openMultipart(request());
  expect(fields.get("name")).toBe("Anglers");
  const seen: [string, number][] = [];
  for await (const { name, stream } of files) {
    let bytes = 0;
    for await (const piece of stream) bytes += piece.length;
    seen.push([name, bytes]);
  }
  expect(seen).toEqual([
    ["file-0.csv", large],
    ["file-1.csv", large],
  ]);
  await discard();
});

test("what is not wanted is dropped: files nobody took, took and left, or began to read", async () => {
  const untouched = await openMultipart(request());
  await untouched.discard();

  const taken = await openMultipart(request());
  await firstOf(taken.files);
  await taken.discard();

  const begun = await openMultipart(request());
  const { stream } = await firstOf(begun.files);
  // Leaving the loop destroys the stream, as a refused file's reader does.
  for await (const _ of stream) break;
  await begun.discard();
});
