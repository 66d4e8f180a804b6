import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId, UploadId } from "../ids.ts";
import { type UploadFile, type UploadMode, uploadLimits } from "./audience.ts";
import { failUpload, keepAlive } from "./fail-upload.server.ts";
import { FileImporter } from "./files/file-importer.server.ts";
import { FileRefusal } from "./files/file-refusal.ts";
import { type ReceivedFile, readFile } from "./files/read-file.server.ts";
import { mergeUpload } from "./merge-upload.server.ts";
import { runAside } from "./running-imports.server.ts";

type Upload = {
  /** As `reserveUpload` gave it. */
  id: UploadId;
  audienceId: AudienceId;
  mode: UploadMode;
  /** As they arrive, one after another. */
  files: AsyncIterable<ReceivedFile>;
};

/** How long an answer waits for the rest of the work: small files are done by then. In milliseconds. */
const patience = 1_000;

/**
 * Reads uploaded files as they arrive and goes on with what they held after the answer. Raw identifiers are in memory only; a file that
 * cannot be taken makes the upload `failed` with words, and leaves the audience as it was. Throws `too_large` for a file
 * or an upload over its limit.
 */
export async function receiveUpload(ctx: Ctx<PublisherActor>, { id, audienceId, mode, files }: Upload): Promise<void> {
  const country = await findCountry(ctx, audienceId);
  const stopBeating = keepAlive(ctx, id);
  const importer = new FileImporter({ country });
  const end = async () => {
    stopBeating();
    await importer.close();
  };
  let read: Awaited<ReturnType<typeof readFiles>>;
  try {
    read = await readFiles(importer, files);
  } catch (error) {
    await end();
    const cut = !(error instanceof FileRefusal);
    await failUpload(ctx, {
      id,
      message: cut ? "The upload was cut off before it was complete. Send it again." : error.message,
    });
    if (!cut && error.tooLarge) throw new DomainError("too_large", error.message);
    if (cut && !isAborted(error)) throw error;
    return;
  }
  const rest = runAside(async () => {
    try {
      await mergeUpload(ctx, { id, audienceId, mode, importer, ...read });
    } finally {
      await end();
    }
  });
  await Promise.race([rest, sleep(patience)]);
}

/** How phones without a country are read in this audience. */
async function findCountry(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<string | undefined> {
  const [audience] = await ctx.db
    .select({ country: audiences.defaultCountry })
    .from(audiences)
    .where(and(eq(audiences.id, audienceId), eq(audiences.publisherId, ctx.actor.accountId)));
  return audience?.country ?? undefined;
}

async function readFiles(importer: FileImporter, files: AsyncIterable<ReceivedFile>) {
  const done: UploadFile[] = [];
  const dropped = new Set<string>();
  const notes: string[] = [];
  for await (const file of files) {
    if (done.length === uploadLimits.files) {
      throw new FileRefusal(
        `Send at most ${uploadLimits.files} files at once; the others can follow in another upload.`,
      );
    }
    const name = file.name.replace(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, "").slice(0, 200) || "file";
    const read = await readFile(importer, { file, index: done.length }).catch((error: unknown) => {
      if (!(error instanceof FileRefusal)) throw error;
      throw new FileRefusal(`${name}: ${error.message}`, error);
    });
    for (const column of read.dropped) dropped.add(column);
    if (read.headless) notes.push(`${name} has no names of columns; its first row was read as data.`);
    done.push({ name, bytes: read.bytes, format: read.format, rows: read.rows });
  }
  if (done.length === 0) throw new FileRefusal("Choose at least one file");
  return { files: done, droppedColumns: [...dropped].slice(0, 200), notes };
}

/** The caller went away in the middle. */
function isAborted(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const name = error instanceof Error ? error.name : "";
  return name === "AbortError" || name === "CutOff" || code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE";
}
