import type { UploadMode } from "#app/domain/audiences/audience.ts";
import type { ColumnOptions } from "#app/domain/audiences/files/column-layout.ts";
import { RowReader } from "#app/domain/audiences/files/row-reader.ts";
import { TextFileReader } from "#app/domain/audiences/files/text-file-reader.ts";
import { MemberKernel } from "#app/domain/audiences/kernel/member-kernel.server.ts";
import type { Block } from "#app/domain/audiences/members/block.ts";
import { MemberSet } from "#app/domain/audiences/members/member-set.server.ts";
import { type MergeCounts, mergeMembers } from "#app/domain/audiences/members/merge-members.ts";
import { RemovalSet } from "#app/domain/audiences/members/removal-set.ts";
import type { EncodingChoice } from "#app/sheets/text/text-to-utf8.ts";

const kernel = new MemberKernel();

type ReadOptions = {
  country?: string;
  chunk?: number;
  withoutKernel?: boolean;
  encoding?: EncodingChoice;
  columnOptions?: ColumnOptions;
};

/** Reads texts as one upload, in chunks of `chunk` bytes; `withoutKernel` selects the plain reader. */
export function readTexts(
  texts: readonly (string | Uint8Array)[],
  {
    country,
    chunk = 7,
    withoutKernel = false,
    encoding = { encoding: undefined, source: "detected" },
    // The kernel reads from the first row on, so that few rows test it.
    columnOptions = { sampledRows: 0 },
  }: ReadOptions = {},
) {
  const members = withoutKernel ? new MemberSet() : kernel;
  const kernelReader = members instanceof MemberKernel ? members : undefined;
  kernelReader?.clear();
  const rows = new RowReader((identifiers) => members.addPerson(identifiers), country);
  const files = texts.map((text, file) => {
    const bytes = Buffer.from(text);
    const reader = new TextFileReader(rows, { encoding, file, fastPath: kernelReader, columnOptions });
    for (let from = 0; from < bytes.length; from += chunk) reader.push(Buffer.from(bytes.subarray(from, from + chunk)));
    reader.end();
    return reader;
  });
  return {
    blocks: blocksOf(members),
    counts: rows.counts,
    columns: files.map((one) => one.columns),
    layouts: files.map((one) => one.layout),
    encodings: files.map((one) => one.encoding),
  };
}

function blocksOf(members: MemberSet | MemberKernel): Block[] {
  return Array.from({ length: 256 }, (_, index) =>
    members instanceof MemberKernel ? members.sort({ from: index, to: index + 1 }) : members.drainBucket(index),
  );
}

/** Returns an audience's blocks after an upload, and the counts of the merge. */
export async function mergeUpload(
  base: Block[],
  uploaded: Block[],
  mode: UploadMode = "add",
  perBlock?: number,
): Promise<{ blocks: Block[]; counts: MergeCounts }> {
  const blocks: Block[] = [];
  const counts = await mergeMembers({
    replace: mode === "replace",
    base,
    uploaded: mode === "remove" ? [] : uploaded,
    removed: mode === "remove" ? await RemovalSet.collect(uploaded, base) : undefined,
    perBlock,
    write: async (full) => void blocks.push(...full),
  });
  return { blocks, counts };
}

/** Returns the number of people in an audience imported from these texts. */
export async function countPeople(...texts: string[]): Promise<number> {
  return (await mergeUpload([], readTexts(texts).blocks)).counts.size;
}

/** Returns every hash with its flags and the canonical hash of a variant, as text. */
export function describeBlocks(blocks: readonly Block[]): string[] {
  return blocks.flatMap(({ hashes, flags, canonicalHashes }) => {
    const [hash, canonicalHash] = [hexDigits(hashes), hexDigits(canonicalHashes)];
    let variantIndex = 0;
    const canonicalOf = (tag: number) => ((tag & 7) === 7 ? canonicalHash(variantIndex++) : "");
    return Array.from(flags, (tag, index) => `${hash(index)} ${tag} ${canonicalOf(tag)}`);
  });
}

/** Returns the hashes by their index as hexadecimal digits, all of which are made at once. */
function hexDigits(hashes: Uint8Array): (index: number) => string {
  const digits = Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength).toString("hex");
  return (index) => digits.slice(index * 64, index * 64 + 64);
}
