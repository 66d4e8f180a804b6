import type { ReceivedFile } from "#app/domain/audiences/files/read-file.server.ts";
import { getUpload, type Upload } from "#app/domain/audiences/get-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { CutOff } from "#app/web/uploads.server.ts";

/** The files of a form when it has any, else undefined. Throws 400 when it was cut off before the first one. */
export async function filesIfAny(files: AsyncIterable<ReceivedFile>): Promise<AsyncIterable<ReceivedFile> | undefined> {
  const rest = files[Symbol.asyncIterator]();
  const first = await rest.next().catch((error: unknown) => {
    if (!(error instanceof CutOff)) throw error;
    throw new Response("The form cannot be read", { status: 400, statusText: "Bad Request" });
  });
  if (first.done) return undefined;
  const begin = first.value;
  return (async function* all() {
    yield begin;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  })();
}

/** The upload that comes with a new audience, once for the form's key; its report says how it ended. */
export async function receiveFirstUpload(
  ctx: Ctx<PublisherActor>,
  { audienceId, key, files }: { audienceId: AudienceId; key: string | undefined; files: AsyncIterable<ReceivedFile> },
): Promise<Upload> {
  const mode = "add";
  const { id, isNew } = await reserveUpload(ctx, { audienceId, mode, key: key ? `form:${key}` : undefined });
  if (isNew) {
    await receiveUpload(ctx, { id, audienceId, mode, files }).catch((error: unknown) => {
      // A file over its limit: its upload says so, and the audience is there.
      if (!(error instanceof DomainError)) throw error;
    });
  }
  return getUpload(ctx, id);
}
