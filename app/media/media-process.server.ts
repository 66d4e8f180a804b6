import { createHash } from "node:crypto";
import { open, readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { cleanMedia } from "./clean-media.ts";
import { type CleanMedia, MediaError, type MediaType, mediaLimits, refusals } from "./media.ts";
import type { MediaAnswer, MediaRequest, ReadMedia } from "./media-protocol.ts";

/**
 * The process that opens what strangers send, with the libraries that unpack it. It has no secrets, no database and no
 * clients: what ends it ends one file's reading.
 */
const jpegQuality = 92;
const previewSide = 640;

/** A JPEG that breaks off is drawn with a warning; a PNG warns of profiles that do no harm. */
const readingOf = (type: MediaType) =>
  ({
    limitInputPixels: mediaLimits.pixels,
    failOn: type === "image/jpeg" ? "warning" : "error",
    sequentialRead: true,
  }) as const;

sharp.concurrency(1);
sharp.cache(false);
// No other reader than those for what is taken, whatever a file makes itself out to be.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadNsgifBuffer"],
});

let turn: Promise<void> = Promise.resolve();
process.on("message", (request: MediaRequest) => {
  turn = turn.then(async () => void process.send?.(await answer(request)));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function answer(request: MediaRequest): Promise<MediaAnswer> {
  const { id } = request;
  try {
    return { id, kind: "read", ...(await read(request)) };
  } catch (error) {
    if (error instanceof MediaError) return { id, kind: "refused", message: error.message };
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    return { id, kind: "failed", code: typeof code === "string" ? code : "unknown" };
  }
}

async function read({ input, output, preview }: MediaRequest): Promise<ReadMedia> {
  const bytes = await readFile(input);
  const clean = await cleanMedia(bytes);
  const { type, width, height, durationMs } = clean;
  const parts = await upright(bytes, clean);
  const small = type === "video/mp4" ? undefined : await previewOf(Buffer.concat(parts), type);
  const written = await writeParts(output, parts);
  if (small) await writeFile(preview, small, { mode: 0o600 });
  return { type, width, height, durationMs, ...written, previewBytes: small?.length ?? null };
}

/** A photograph that EXIF said to turn is turned, since EXIF does not stay: this one is coded anew. */
async function upright(bytes: Buffer, { type, orientation = 1, parts }: CleanMedia): Promise<Uint8Array[]> {
  if (type !== "image/jpeg" || orientation === 1) return parts;
  const turned = sharp(bytes, readingOf(type)).autoOrient().keepIccProfile();
  return [await decoded(turned.jpeg({ quality: jpegQuality, chromaSubsampling: "4:4:4" }).toBuffer())];
}

/** Unpacks all of the picture, and so finds what is broken in it. */
async function previewOf(bytes: Buffer, type: MediaType): Promise<Buffer> {
  const fit = { width: previewSide, height: previewSide, fit: "inside", withoutEnlargement: true } as const;
  return decoded(sharp(bytes, readingOf(type)).resize(fit).webp({ quality: 80 }).toBuffer());
}

/** Whatever the library says of a file is about the file; its words are not for people. */
async function decoded(work: Promise<Buffer>): Promise<Buffer> {
  return work.catch(() => {
    throw new MediaError(refusals.damaged);
  });
}

async function writeParts(path: string, parts: readonly Uint8Array[]): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  const file = await open(path, "wx", 0o600);
  try {
    let bytes = 0;
    for (const part of parts) {
      hash.update(part);
      await file.writeFile(part);
      bytes += part.length;
    }
    return { bytes, sha256: hash.digest("hex") };
  } finally {
    await file.close();
  }
}
