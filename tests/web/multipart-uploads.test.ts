import { expect, test } from "vitest";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { openMultipart } from "#app/web/multipart.server.ts";

/** Far more bytes than the streams in between buffer. */
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

test("fields precede the first file, and files follow one another", async () => {
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

test("unwanted files are drained: unread ones, abandoned ones, and partly read ones", async () => {
  const untouched = await openMultipart(request());
  await untouched.discard();

  const upload = await openMultipart(request());
  await firstOf(upload.files);
  await upload.discard();

  const begun = await openMultipart(request());
  const { stream } = await firstOf(begun.files);
  // Leaving the loop destroys the stream, as the reader of a rejected file does.
  for await (const _ of stream) break;
  await begun.discard();
});

test("a form whose fields have more than a megabyte together is rejected, in whatever language", async () => {
  const form = (letter: string, fields: number) => {
    const data = new FormData();
    for (let index = 0; index < fields; index += 1) data.append(`field_${index}`, letter.repeat(30_000));
    return new Request("http://localhost/upload", { method: "POST", body: data });
  };
  await expect(openMultipart(form("a", 30))).resolves.toBeDefined();
  await expect(openMultipart(form("ü", 15))).resolves.toBeDefined();
  const message = "The fields of the form are too long.";
  await expect(openMultipart(form("a", 40))).rejects.toMatchObject({ message });
  await expect(openMultipart(form("ü", 20))).rejects.toMatchObject({ message });
});

test.each([
  "\r\n\r\nAng",
  "\r\n\r\nAnglers\r\n",
  '\r\n\r\nAnglers\r\n--cut\r\nContent-Disposition: form-data; name="file"; filen',
])("a form that ends before its first file and before its end is rejected: %j", async (rest) => {
  const headers = { "Content-Type": "multipart/form-data; boundary=cut" };
  const body = `--cut\r\nContent-Disposition: form-data; name="name"${rest}`;
  const cut = new Request("http://localhost/upload", { method: "POST", headers, body });
  await expect(openMultipart(cut)).rejects.toMatchObject({ status: 400 });
  const whole = new Request("http://localhost/upload", { method: "POST", headers, body: "--cut--\r\n" });
  await expect(openMultipart(whole)).resolves.toBeDefined();
});

test.each([
  [10, false],
  [11, true],
  [5_000, true],
])("a file of %d bytes is truncated at a limit of 10 bytes: %s", async (bytes, expected) => {
  const form = new FormData();
  form.append("file", new File([new Uint8Array(bytes)], "ten.csv"));
  const sent = new Request("http://localhost/upload", { method: "POST", body: form });
  const { files, discard } = await openMultipart(sent, { limits: { fileBytes: 10, files: 2, fields: 1 } });
  const { stream, isTruncated } = await firstOf(files);
  let read = 0;
  for await (const piece of stream) read += piece.length;
  expect([isTruncated(), read <= 11]).toEqual([expected, true]);
  await discard();
});
