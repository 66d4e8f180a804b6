import { Readable } from "node:stream";
import { eq } from "drizzle-orm";
import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { ReceivedFile } from "#app/domain/audiences/files/received-file.ts";
import { getUpload, type Upload } from "#app/domain/audiences/get-upload.server.ts";
import { readBlocks } from "#app/domain/audiences/members/audience-blocks.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { receiveUpload } from "#app/domain/audiences/receive-upload.server.ts";
import { reserveUpload } from "#app/domain/audiences/reserve-upload.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { type AudienceId, newId } from "#app/domain/ids.ts";
import { settleImports } from "#app/domain/running-imports.server.ts";
import { audiences } from "#db/schema/index.ts";
import { contentOf } from "./read-text.ts";

/** An audience without anybody in it yet. */
export async function anAudience(by: Ctx<PublisherActor>, columns: Partial<typeof audiences.$inferInsert> = {}) {
  const id = newId<AudienceId>();
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

export function aFile(content: string | Buffer, more: Partial<ReceivedFile> = {}): ReceivedFile {
  return { name: "people.csv", stream: Readable.from([Buffer.from(content)]), isTruncated: () => false, ...more };
}

/** Sends files and waits for the end of it. */
export async function upload(
  by: Ctx<PublisherActor>,
  sent: { audienceId: AudienceId; mode?: UploadMode; files: readonly (string | Buffer | ReceivedFile)[] },
): Promise<Upload> {
  const { audienceId, mode = "add", files } = sent;
  const { id } = await reserveUpload(by, { audienceId, mode, key: undefined });
  async function* arriving() {
    for (const file of files) yield typeof file === "object" && "stream" in file ? file : aFile(file);
  }
  await receiveUpload(by, { id, audienceId, mode, files: arriving() });
  await settleImports();
  return getUpload(by, id);
}

export async function audienceRow(by: Ctx<PublisherActor>, id: AudienceId) {
  const [row] = await by.db.select().from(audiences).where(eq(audiences.id, id));
  if (!row) throw new Error("no such audience");
  return row;
}

/** Every hash that the audience has now. */
export async function storedIn(by: Ctx<PublisherActor>, id: AudienceId): Promise<string[]> {
  const { generation } = await audienceRow(by, id);
  const blocks: Block[] = [];
  for await (const block of readBlocks(by.db, { audienceId: id, generation })) blocks.push(block);
  return contentOf(blocks);
}

/** A file of so many people, numbered from `from`. */
export function people(count: number, from = 0): string {
  return ["Email", ...Array.from({ length: count }, (_, index) => `person${from + index}@example.com`)].join("\n");
}
