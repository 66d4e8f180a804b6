import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { ColumnMapping } from "#app/domain/audiences/files/column-uses.ts";
import { type OpenMembers, openMembers, readMembers } from "#app/domain/audiences/members/audience-members.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { getUpload, type Upload } from "#app/domain/audiences/uploads/get-upload.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/uploads/reserve-upload.server.ts";
import type { UploadAttempt } from "#app/domain/audiences/uploads/upload-attempt.server.ts";
import { waitForBackgroundTasks } from "#app/domain/background-tasks.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, newId } from "#app/domain/ids.ts";
import type { ReceivedFile } from "#app/domain/received-file.ts";
import type { TextEncoding } from "#app/sheets/text/encodings.ts";
import { audiences } from "#db/schema/index.ts";
import { describeBlocks } from "./read-text.ts";

/** Creates an audience without people. */
export async function createEmptyAudience(
  by: Ctx<PublisherActor>,
  columns: Partial<typeof audiences.$inferInsert> = {},
) {
  const id = columns.id ?? newId<AudienceId>();
  const required = {
    id,
    publisherId: by.actor.accountId,
    name: "Loyal",
    segment: "high-value",
    status: "building",
  } as const;
  await by.db.insert(audiences).values({ ...required, ...columns });
  return id;
}

export function createFilePart(content: string | Buffer, more: Partial<ReceivedFile> = {}): ReceivedFile {
  return { name: "people.csv", stream: Readable.from([Buffer.from(content)]), isTruncated: () => false, ...more };
}

/** Reserves an upload, or its next attempt, for files to be read. */
export async function beginUpload(
  by: Ctx<PublisherActor>,
  upload: Omit<Parameters<typeof reserveUpload>[1], "key"> & { key?: string },
): Promise<UploadAttempt> {
  const { id, attempt } = await reserveUpload(by, { key: undefined, ...upload });
  return { id, attempt: attempt ?? expect.fail("The upload is running or finished") };
}

/** Uploads files and waits until the import has ended. */
export async function upload(
  by: Ctx<PublisherActor>,
  sent: {
    audienceId: AudienceId;
    mode?: UploadMode;
    includesOptOuts?: boolean;
    encoding?: TextEncoding;
    mapping?: ColumnMapping;
    files: readonly (string | Buffer | ReceivedFile)[];
  },
): Promise<Upload> {
  const { audienceId, mode = "add", includesOptOuts, encoding, mapping, files } = sent;
  const choices = { audienceId, mode, includesOptOuts, encoding, mapping };
  const { id, attempt } = await beginUpload(by, choices);
  async function* uploadedFiles() {
    for (const file of files) yield typeof file === "object" && "stream" in file ? file : createFilePart(file);
  }
  await receiveUpload(by, { ...choices, id, attempt, files: uploadedFiles() });
  await waitForBackgroundTasks();
  return getUpload(by, id);
}

export async function audienceRow(by: Ctx<PublisherActor>, id: AudienceId) {
  const [row] = await by.db.select().from(audiences).where(eq(audiences.id, id));
  if (!row) throw new Error("no such audience");
  return row;
}

/** Returns every hash in the audience, of its base and its deltas. */
export async function loadStoredHashes(by: Ctx<PublisherActor>, id: AudienceId): Promise<string[]> {
  const blocks: Block[] = [];
  for await (const block of readMembers(by.db, await openAudience(by, id))) blocks.push(block);
  return describeBlocks(blocks);
}

export async function openAudience(
  by: Ctx<PublisherActor>,
  id: AudienceId,
  withAddresses = false,
): Promise<OpenMembers> {
  const members = await openMembers(by.db, id, { withAddresses });
  if (!members) throw new Error("no such audience");
  return members;
}

/** A file of so many people, numbered from `from`. */
export function people(count: number, from = 0): string {
  return ["Email", ...Array.from({ length: count }, (_, index) => `person${from + index}@example.com`)].join("\n");
}
