import type { UploadMode } from "#app/domain/audiences/audience.ts";
import { RowReader } from "#app/domain/audiences/files/row-reader.ts";
import { TextFile } from "#app/domain/audiences/files/text-file.ts";
import { MemberKernel } from "#app/domain/audiences/kernel/member-kernel.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { MemberSet } from "#app/domain/audiences/members/member-set.server.ts";
import { type MergeCounts, mergeMembers } from "#app/domain/audiences/members/merge-members.ts";
import { RemovedMembers } from "#app/domain/audiences/members/removed-members.ts";

const kernel = new MemberKernel();

/** Reads texts as one upload, in chunks of `chunk` bytes; `plainly` without the kernel. */
export function readTexts(
  texts: readonly (string | Uint8Array)[],
  { country, chunk = 7, plainly = false }: { country?: string; chunk?: number; plainly?: boolean } = {},
) {
  const members = plainly ? new MemberSet() : kernel;
  const taker = members instanceof MemberKernel ? members : undefined;
  taker?.forget();
  const rows = new RowReader((identifiers) => members.addPerson(identifiers), country);
  const files = texts.map((text, file) => {
    const bytes = Buffer.from(text);
    const reader = new TextFile(rows, { encoding: "utf-8", file, taker });
    for (let from = 0; from < bytes.length; from += chunk) reader.push(Buffer.from(bytes.subarray(from, from + chunk)));
    reader.end();
    return reader;
  });
  return { blocks: blocksOf(members), counts: rows.counts, columns: files.map((one) => one.columns) };
}

function blocksOf(members: MemberSet | MemberKernel): Block[] {
  return Array.from({ length: 256 }, (_, index) =>
    members instanceof MemberKernel ? members.bucket(index) : members.takeBucket(index),
  );
}

/** An audience's blocks after an upload, and what came of it. */
export async function merged(
  base: Block[],
  sent: Block[],
  mode: UploadMode = "add",
  perBlock?: number,
): Promise<{ blocks: Block[]; counts: MergeCounts }> {
  const blocks: Block[] = [];
  const counts = await mergeMembers({
    replace: mode === "replace",
    base,
    sent: mode === "remove" ? [] : sent,
    removed: mode === "remove" ? await RemovedMembers.gather(sent, base) : undefined,
    perBlock,
    write: async (full) => void blocks.push(...full),
  });
  return { blocks, counts };
}

/** The people counted in an audience made of texts alone. */
export async function peopleIn(...texts: string[]): Promise<number> {
  return (await merged([], readTexts(texts).blocks)).counts.size;
}

/** Every hash with its tag and what it is a spelling of, as text. */
export function contentOf(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ hashes, tags, spellings }) => {
    let spelling = 0;
    return [...tags].map((tag, index) => {
      const hash = Buffer.from(hashes).toString("hex", index * 32, index * 32 + 32);
      const own = (tag & 7) === 7 ? Buffer.from(spellings).toString("hex", spelling * 32, ++spelling * 32) : "";
      return `${hash} ${tag} ${own}`;
    });
  });
}
