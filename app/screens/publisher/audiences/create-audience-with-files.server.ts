import type { NewAudience } from "#app/domain/audiences/audience-payloads.ts";
import { createAudience } from "#app/domain/audiences/create-audience.server.ts";
import { type ParsedUpload, type ReadOptions, receiveFiles } from "#app/domain/audiences/files/read-upload.server.ts";
import { loadColumnMappings } from "#app/domain/audiences/uploads/column-mappings.server.ts";
import { getUpload, type Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { mergeInBackground } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { compareUpload, reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { createIdempotently } from "#app/domain/idempotency/create-idempotently.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import { reportError } from "#app/domain/report-error.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { TruncatedFormError } from "#app/web/forms/truncated-form-error.ts";
import { unreadableForm } from "#app/web/multipart.server.ts";
import { requireIdParam } from "#app/web/not-found.server.ts";

/**
 * Returns the form's files, or undefined if it has none. Throws 400 if the form cannot be read up to the first file.
 */
export async function filesOrUndefined(
  files: AsyncIterable<ReceivedFile>,
): Promise<AsyncIterable<ReceivedFile> | undefined> {
  const rest = files[Symbol.asyncIterator]();
  const first = await rest.next().catch(rejectForm);
  if (first.done) return undefined;
  const begin = first.value;
  return (async function* all() {
    yield begin;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  })();
}

type NewWithFiles = {
  /** The form's idempotency key; the same key creates one audience and one upload. */
  key: string | undefined;
  values: NewAudience;
  /** The uploader stated that people who opted out are imported too. */
  includesOptOuts: boolean;
  /** The encoding that the uploader chose for text. */
  encoding: TextEncoding | undefined;
  files: AsyncIterable<ReceivedFile> | undefined;
  /** Returns the hash of the form, once its files are read. */
  contentHash: () => Promise<string | undefined>;
  /** When the form arrived, on the clock of `performance.now()`, in milliseconds. */
  receivedAt: number | undefined;
};

/**
 * Creates an audience from a form with files. The files are parsed first, so that a rejected file is an error of the
 * field `file` (`invalid_input` or `too_large`) and no audience is created. The result contains the outcome of the
 * upload.
 */
export async function createAudienceWithFiles(
  ctx: Ctx<PublisherActor>,
  { key, values, includesOptOuts, encoding, files, contentHash, receivedAt }: NewWithFiles,
): Promise<{ audienceId: AudienceId; upload?: Upload }> {
  const country = values.default_country ?? undefined;
  const read = files && (await readFirst(ctx, files, { country, includesOptOuts, includesAddresses: true, encoding }));
  let ownsRead = true;
  try {
    const created = await createIdempotently(ctx, { key, values }, (once) => createAudience(once, values));
    const audienceId = requireIdParam<AudienceId>(created.id);
    if (!read) return { audienceId };
    const mode = "add";
    const upload = { audienceId, mode, includesOptOuts, encoding } as const;
    const uploadKey = key && `form:${key}`;
    const { id, attempt } = await reserveUpload(ctx, { ...upload, key: uploadKey });
    const isNew = attempt !== undefined;
    const compare = async () => compareUpload(ctx, { key: uploadKey, id, isNew, contentHash: await contentHash() });
    if (isNew) {
      ownsRead = false;
      await mergeInBackground(ctx, { id, attempt, audienceId, mode, read: async () => read, compare, receivedAt });
    }
    await compare();
    return { audienceId, upload: await getUpload(ctx, id) };
  } finally {
    if (ownsRead) await read?.importer.close();
  }
}

async function readFirst(
  ctx: Ctx<PublisherActor>,
  files: AsyncIterable<ReceivedFile>,
  options: ReadOptions,
): Promise<ParsedUpload> {
  try {
    const savedMappings = await loadColumnMappings(ctx);
    const read = await receiveFiles({ files, savedMappings, ...options });
    return await read();
  } catch (error) {
    if (!(error instanceof FileRejectedError)) return rejectForm(error);
    if (error.cause) reportError(ctx, error.cause, { work: "read_upload" });
    throw new DomainError(error.tooLarge ? "too_large" : "invalid_input", error.message, {
      fields: { file: [error.message] },
    });
  }
}

function rejectForm(error: unknown): never {
  if (!(error instanceof TruncatedFormError || error instanceof FileRejectedError)) throw error;
  throw unreadableForm();
}
