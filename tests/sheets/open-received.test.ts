import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSpool } from "#app/sheets/encrypted-spool.server.ts";
import { openReceived } from "#app/sheets/open-received.server.ts";
import { zip } from "./support/zip.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "endcap-received-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function receive(bytes: Uint8Array, { piece = 1_000, maxBytes = 1024 * 1024 } = {}) {
  async function* arriving() {
    for (let at = 0; at < bytes.length; at += piece) yield Buffer.from(bytes.subarray(at, at + piece));
  }
  const opened = await openReceived(arriving(), { maxBytes, createSpool: () => createSpool(folder) });
  try {
    const pieces: Buffer[] = [];
    for await (const one of opened.pieces) pieces.push(one);
    const { head, innerName, isUnpacked } = opened;
    return { content: Buffer.concat(pieces), head, innerName, isUnpacked };
  } finally {
    await opened.close();
  }
}

const csv = Buffer.from(`Email\n${Array.from({ length: 2_000 }, (_, row) => `p${row}@example.com`).join("\n")}`);

describe("a file that arrives", () => {
  it("is unpacked when it is compressed, and passed on as it is otherwise, whatever its pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 40_000 }),
        fc.integer({ min: 1, max: 9_000 }),
        async (bytes, piece) => {
          const text = Buffer.from(`x${Buffer.from(bytes).toString("base64")}`);
          const whole = Buffer.concat([text, text]);
          for (const sent of [
            { bytes: text, content: text },
            { bytes: gzipSync(text), content: text },
            { bytes: Buffer.concat([gzipSync(text), gzipSync(text)]), content: whole },
            { bytes: zip([{ name: "a/b.csv", data: text }]), content: text },
          ]) {
            const got = await receive(sent.bytes, { piece: Math.max(piece, sent.bytes.length >> 6) });
            expect(got.content.equals(sent.content)).toBe(true);
            expect(got.head.equals(sent.content.subarray(0, 8_192))).toBe(true);
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it("is the only file of an archive, apart from folders and what operating systems add", async () => {
    const archive = zip([
      { name: "export/", data: "" },
      { name: "export/cleaned_members_export_1.csv", data: csv },
      { name: "__MACOSX/export/._cleaned_members_export_1.csv", data: "x" },
      { name: "export/.DS_Store", data: "x" },
    ]);
    const got = await receive(archive);
    expect(got).toMatchObject({ innerName: "cleaned_members_export_1.csv", isUnpacked: true });
    expect(got.content.equals(csv)).toBe(true);
  });

  it.each<[string, () => Uint8Array, RegExp]>([
    [
      "two files",
      () =>
        zip([
          { name: "a.csv", data: csv },
          { name: "b.csv", data: csv },
        ]),
      /has 2 files\. Unzip it/,
    ],
    ["no file", () => zip([{ name: "a/", data: "" }]), /archive is empty/],
    ["an archive that is cut off", () => zip([{ name: "a.csv", data: csv }]).subarray(0, 400), /damaged/],
    ["a wrong checksum", () => zip([{ name: "a.csv", data: csv, crc: 1 }]), /damaged/],
    ["more than it states", () => zip([{ name: "a.csv", data: csv, unpacked: 100 }]), /damaged/],
    ["an encrypted file", () => zip([{ name: "a.csv", data: csv, flags: 1 }]), /password protected/],
    ["an archive bomb", () => zip([{ name: "a.csv", data: Buffer.alloc(2 * 1024 * 1024) }]), /too large when unpacked/],
    ["a gzip bomb", () => gzipSync(Buffer.alloc(2 * 1024 * 1024)), /too large when unpacked/],
    ["gzip that is cut off", () => gzipSync(csv).subarray(0, 2_000), /damaged \(compression\)/],
    ["gzip that is damaged", () => gzipSync(csv).fill(7, 500, 600), /damaged \(compression\)/],
  ])("with %s is rejected", async (_, bytes, message) => {
    await expect(receive(bytes())).rejects.toThrow(message);
  });

  it("stays packed inside another archive", async () => {
    const inner = gzipSync(csv);
    expect((await receive(gzipSync(inner))).content.equals(inner)).toBe(true);
  });
});
