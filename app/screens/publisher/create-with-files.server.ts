import type { NewAudience } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { FileRefusal } from "#app/domain/audiences/files/file-refusal.ts";
import { type ReadUpload, receiveFiles } from "#app/domain/audiences/files/read-upload.server.ts";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { getUpload, type Upload } from "#app/domain/audiences/get-upload.server.ts";
import { mergeAside } from "#app/domain/audiences/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { createOnce } from "#app/domain/idempotency/create-once.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { reportError } from "#app/domain/report-error.ts";
import { idInAddress } from "#app/web/not-found.server.ts";
import { CutOff } from "#app/web/uploads.server.ts";

/** The files of a form when it has any, else undefined. Throws 400 when it cannot be read as far as the first one. */
export async function filesIfAny(files: AsyncIterable<ReceivedFile>): Promise<AsyncIterable<ReceivedFile> | undefined> {
  const rest = files[Symbol.asyncIterator]();
  const first = await rest.next().catch(refuseForm);
  if (first.done) return undefined;
  const begin = first.value;
  return (async function* all() {
    yield begin;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  })();
}

type NewWithFiles = {
  /** The form's; the same makes one audience and one upload. */
  key: string | undefined;
  values: NewAudience;
  files: AsyncIterable<ReceivedFile> | undefined;
};

/**
 * A new audience, with what its form's files hold. They are read first: one that cannot be taken is an error of the field
 * `file` (`invalid_input`, or `too_large`), and nothing is half done. How the upload ended stands in it.
 */
export async function createWithFiles(
  ctx: Ctx<PublisherActor>,
  { key, values, files }: NewWithFiles,
): Promise<{ audienceId: AudienceId; upload?: Upload }> {
  const read = files && (await readFirst(ctx, files, values.default_country));
  let ownsRead = true;
  try {
    const made = await createOnce(ctx, { key, values }, (once) => createAudience(once, values));
    const audienceId = idInAddress<AudienceId>(made.id);
    if (!read) return { audienceId };
    const mode = "add";
    const { id, isNew } = await reserveUpload(ctx, { audienceId, mode, key: key && `form:${key}` });
    if (isNew) {
      ownsRead = false;
      await mergeAside(ctx, { id, audienceId, mode, read: async () => read });
    }
    return { audienceId, upload: await getUpload(ctx, id) };
  } finally {
    if (ownsRead) await read?.importer.close();
  }
}

async function readFirst(
  ctx: Ctx<PublisherActor>,
  files: AsyncIterable<ReceivedFile>,
  country: string | null,
): Promise<ReadUpload> {
  try {
    const read = await receiveFiles({ files, country: country ?? undefined });
    return await read();
  } catch (error) {
    if (!(error instanceof FileRefusal)) return refuseForm(error);
    if (error.cause) reportError(ctx, error.cause, { work: "read_upload" });
    throw new DomainError(error.tooLarge ? "too_large" : "invalid_input", error.message, {
      fields: { file: [error.message] },
    });
  }
}

function refuseForm(error: unknown): never {
  if (!(error instanceof CutOff || error instanceof FileRefusal)) throw error;
  throw new Response("The form cannot be read", { status: 400, statusText: "Bad Request" });
}
