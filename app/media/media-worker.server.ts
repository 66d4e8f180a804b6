import { createHash } from "node:crypto";
import { open, readFile, writeFile } from "node:fs/promises";
import sharp from "sharp";
import { cleanMedia } from "./clean-media.ts";
import { type CleanMedia, MediaError, type MediaType, mediaErrorMessages, mediaLimits } from "./media.ts";
import type { MediaInfo, MediaRequest, MediaResponse } from "./media-protocol.ts";

/**
 * The process that decodes uploaded files, with the libraries that parse them. It has no secrets, no database and no
 * clients, so that a crash fails one file only.
 */
const jpegQuality = 92;
const previewSide = 640;

/** Warnings reject a truncated JPEG, which would be drawn in part; for a PNG they concern harmless profiles only. */
const decodeOptions = (type: MediaType) =>
  ({
    limitInputPixels: mediaLimits.pixels,
    failOn: type === "image/jpeg" ? "warning" : "error",
    sequentialRead: true,
  }) as const;

sharp.concurrency(1);
sharp.cache(false);
// Only the decoders of accepted types are enabled, whatever type a file claims.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: ["VipsForeignLoadJpegBuffer", "VipsForeignLoadPngBuffer", "VipsForeignLoadNsgifBuffer"],
});

let turn: Promise<void> = Promise.resolve();
process.on("message", (request: MediaRequest) => {
  turn = turn.then(async () => void process.send?.(await respond(request)));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function respond(request: MediaRequest): Promise<MediaResponse> {
  const { id } = request;
  try {
    return { id, kind: "read", ...(await read(request)) };
  } catch (error) {
    if (error instanceof MediaError) return { id, kind: "rejected", message: error.message };
    const code: unknown = error instanceof Error ? Reflect.get(error, "code") : undefined;
    return { id, kind: "failed", code: typeof code === "string" ? code : "unknown" };
  }
}

async function read({ input, output, preview }: MediaRequest): Promise<MediaInfo> {
  const bytes = await readFile(input);
  const clean = await cleanMedia(bytes);
  const { type, width, height, durationMs } = clean;
  const parts = await orientedParts(bytes, clean);
  const small = type === "video/mp4" ? undefined : await renderPreview(Buffer.concat(parts), type);
  const written = await writeParts(output, parts);
  if (small) await writeFile(preview, small, { mode: 0o600 });
  return { type, width, height, durationMs, ...written, previewBytes: small?.length ?? null };
}

/**
 * Returns the parts of the image in its upright orientation. A photo with an EXIF orientation is rotated and encoded
 * again, because its EXIF is removed.
 */
async function orientedParts(bytes: Buffer, { type, orientation = 1, parts }: CleanMedia): Promise<Uint8Array[]> {
  if (type !== "image/jpeg" || orientation === 1) return parts;
  const turned = sharp(bytes, decodeOptions(type)).autoOrient().keepIccProfile();
  return [await rejectDamaged(turned.jpeg({ quality: jpegQuality, chromaSubsampling: "4:4:4" }).toBuffer())];
}

/** Renders the preview as WebP. Throws MediaError for a damaged image, because the whole image is decoded. */
async function renderPreview(bytes: Buffer, type: MediaType): Promise<Buffer> {
  const fit = { width: previewSide, height: previewSide, fit: "inside", withoutEnlargement: true } as const;
  return rejectDamaged(sharp(bytes, decodeOptions(type)).resize(fit).webp({ quality: 80 }).toBuffer());
}

/** Throws MediaError in place of any error of the library, whose messages are not for people. */
async function rejectDamaged(work: Promise<Buffer>): Promise<Buffer> {
  return work.catch(() => {
    throw new MediaError(mediaErrorMessages.damaged);
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
