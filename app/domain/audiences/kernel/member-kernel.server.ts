import { readFileSync } from "node:fs";
import { projectFile } from "#app/project-file.server.ts";
import type { ConsentColumn } from "../consent/consent-columns.ts";
import { readConsent } from "../consent/consent-values.ts";
import type { IdentifierColumns } from "../files/columns.ts";
import { type Block, hashBytes } from "../members/block.ts";
import { type FlaggedHash, hashesOfPerson } from "../members/member-set.server.ts";
import type { Identifier, IdentifierType } from "../members/parse-identifier.ts";

/** The exports of `assembly/index.ts`. */
type Exports = {
  memory: WebAssembly.Memory;
  input: WebAssembly.Global<"i32">;
  inputBytes: WebAssembly.Global<"i32">;
  columnRoles: WebAssembly.Global<"i32">;
  maxColumns: WebAssembly.Global<"i32">;
  rowsScanned: WebAssembly.Global<"i32">;
  rowsBlank: WebAssembly.Global<"i32">;
  sortedCount: WebAssembly.Global<"i32">;
  sortedHashes: WebAssembly.Global<"i32">;
  sortedVariantCount: WebAssembly.Global<"i32">;
  sortedCanonicalHashes: WebAssembly.Global<"i32">;
  sortedFlags: WebAssembly.Global<"i32">;
  openTable: (delimiter: number, lineEnd: number, lastColumn: number) => void;
  maxConsents: WebAssembly.Global<"i32">;
  consentValueBytes: WebAssembly.Global<"i32">;
  optOutCounts: WebAssembly.Global<"i32">;
  setConsents: (count: number, person: number, email: number, phone: number, blankOut: number) => void;
  learnConsent: (consent: number, value: number, length: number, isOut: number) => void;
  scan: (position: number, length: number) => number;
  finishLanes: () => void;
  putHash: (hash: number, tag: number) => void;
  putVariant: (hash: number, tag: number, own: number) => void;
  recordCount: () => number;
  primaryCount: (bucket: number) => number;
  variantCount: (bucket: number) => number;
  clearStore: () => void;
  sortBucket: (index: number) => void;
};

const roles: Record<IdentifierType, number> = { email: 1, phone: 2 };
/** The role of the first column about consent; the others follow. */
const firstConsentRole = 3;
/** The number of buckets: one for each first byte of a hash. */
export const bucketCount = 256;
/** The unit of memory for sorted hashes, so that memory fits later hashes as well; smaller memory is not used again. */
const memoryUnit = 512 * 1024;
let compiled: WebAssembly.Module | undefined;

/**
 * Returns the compiled kernel. Threads that share it also share the code that V8 optimizes, which each would otherwise
 * compile again.
 */
export function compiledKernel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readFileSync(projectFile("app/domain/audiences/kernel/kernel.wasm")));
  return compiled;
}

/**
 * The hashes of members as they are read, in 256 buckets by first byte, and the fast path for simple rows: a
 * WebAssembly kernel splits, checks, normalizes and hashes them, four identifiers at once (docs/decisions/0018). Rows
 * that the kernel leaves are added with `addPerson`.
 */
export class MemberKernel {
  readonly maxConsents: number;
  private readonly kernel: Exports;
  private loaded = 0;
  /** The values that the kernel reads by itself, by column about consent. */
  private learned: Set<string>[] = [];

  constructor(module: WebAssembly.Module = compiledKernel()) {
    this.kernel = requireKernelExports(new WebAssembly.Instance(module));
    this.maxConsents = this.kernel.maxConsents.value;
  }

  /** Sets the columns of the text that is loaded next. */
  openTable({ delimiter, lineEnd, columns }: { delimiter: number; lineEnd: number; columns: IdentifierColumns }): void {
    const { kernel } = this;
    const columnRoles = this.bytes(kernel.columnRoles.value, kernel.maxColumns.value + 1).fill(0);
    for (const { index, type } of columns.identifiers) columnRoles[index] = roles[type];
    const { consents } = columns;
    for (const [consent, { index }] of consents.entries()) {
      if (index >= 0) columnRoles[index] = firstConsentRole + consent;
    }
    this.learned = consents.map(() => new Set());
    const maskOf = (matches: (column: ConsentColumn) => boolean) =>
      consents.reduce((mask, column, consent) => (matches(column) ? mask | (1 << consent) : mask), 0);
    kernel.setConsents(
      consents.length,
      maskOf(({ scope }) => scope === "person"),
      maskOf(({ scope }) => scope === "email"),
      maskOf(({ scope }) => scope === "phone"),
      maskOf(({ kind }) => readConsent(kind, "") !== "in"),
    );
    kernel.openTable(delimiter, lineEnd, Math.max(...[...columns.identifiers, ...consents].map(({ index }) => index)));
  }

  /**
   * Makes the kernel read this value of a column about consent by itself: up to 16 ASCII characters, without spaces
   * around them. It leaves rows with other values.
   */
  learnConsent(consent: number, value: string, verdict: "in" | "out"): void {
    const { kernel } = this;
    const learned = this.learned[consent];
    if (!learned || learned.has(value)) return;
    learned.add(value);
    const address = kernel.input.value + kernel.inputBytes.value;
    this.bytes(address, kernel.consentValueBytes.value).fill(0).set(Buffer.from(value, "latin1"));
    kernel.learnConsent(consent, address, value.length, verdict === "out" ? 1 : 0);
  }

  /** Returns the opt-outs that the kernel found since `openTable`, by column about consent. */
  optOuts(): { rows: number; identifiers: number; blank: number }[] {
    const { memory, optOutCounts } = this.kernel;
    return this.learned.map((_, consent) => {
      const [rows = 0, identifiers = 0, blank = 0] = new Uint32Array(
        memory.buffer,
        optOutCounts.value + 12 * consent,
        3,
      );
      return { rows, identifiers, blank };
    });
  }

  /** Loads text for `scanRows`. Returns false when the text is too long. */
  load(text: Uint8Array): boolean {
    const { input, inputBytes } = this.kernel;
    if (text.length > inputBytes.value) return false;
    this.bytes(input.value, text.length).set(text);
    this.loaded = text.length;
    return true;
  }

  /**
   * Handles rows from `position` on and stops at the first row that the kernel leaves; the returned `position` is the
   * start of that row.
   */
  scanRows(position: number): { position: number; rows: number; blank: number } {
    const { kernel } = this;
    const end = kernel.scan(position, this.loaded);
    return { position: end, rows: kernel.rowsScanned.value, blank: kernel.rowsBlank.value };
  }

  /** Same as MemberSet's. */
  addPerson(identifiers: readonly Identifier[]): void {
    for (const hash of hashesOfPerson(identifiers)) this.add(hash);
  }

  /** The number of stored hashes, duplicates included. */
  get count(): number {
    this.kernel.finishLanes();
    return this.kernel.recordCount();
  }

  /** Returns the bucket after those from `from` on that have `minHashes` hashes together, or after the last one. */
  bucketsWith(minHashes: number, from: number): number {
    this.kernel.finishLanes();
    let to = from;
    for (let hashes = 0; to < bucketCount && hashes < minHashes; to += 1) hashes += this.recordCounts(to).hashes;
    return to;
  }

  /**
   * Returns the hashes of the buckets from `from` to the one before `to`, sorted and without duplicates, in `memory` if
   * they fit, and otherwise in memory of their own. The buckets do not change.
   */
  sort({ from, to, memory }: { from: number; to: number; memory?: ArrayBuffer | undefined }): Block {
    const { kernel } = this;
    kernel.finishLanes();
    let [maxHashes, maxVariants] = [0, 0];
    for (let bucket = from; bucket < to; bucket += 1) {
      const { hashes, variants } = this.recordCounts(bucket);
      maxHashes += hashes;
      maxVariants += variants;
    }
    const flagsAt = maxHashes * hashBytes;
    const canonicalHashesAt = flagsAt + maxHashes;
    const needed = canonicalHashesAt + maxVariants * hashBytes;
    const bytes = new Uint8Array(memory && memory.byteLength >= needed ? memory : new ArrayBuffer(roundUp(needed)));
    let [count, variants] = [0, 0];
    for (let bucket = from; bucket < to; bucket += 1) {
      kernel.sortBucket(bucket);
      const [hashesHere, variantsHere] = [kernel.sortedCount.value, kernel.sortedVariantCount.value];
      bytes.set(this.bytes(kernel.sortedHashes.value, hashesHere * hashBytes), count * hashBytes);
      bytes.set(this.bytes(kernel.sortedFlags.value, hashesHere), flagsAt + count);
      const canonicalHashes = this.bytes(kernel.sortedCanonicalHashes.value, variantsHere * hashBytes);
      bytes.set(canonicalHashes, canonicalHashesAt + variants * hashBytes);
      count += hashesHere;
      variants += variantsHere;
    }
    return {
      hashes: bytes.subarray(0, count * hashBytes),
      flags: bytes.subarray(flagsAt, flagsAt + count),
      canonicalHashes: bytes.subarray(canonicalHashesAt, canonicalHashesAt + variants * hashBytes),
    };
  }

  /** Removes all members; the memory is reused. */
  clear(): void {
    this.kernel.finishLanes();
    this.kernel.clearStore();
  }

  /** Adds one hash; a variant comes with its canonical hash. */
  add({ hash, tag, canonicalHash }: FlaggedHash): void {
    const { kernel } = this;
    // The 64 bytes after the input buffer: vector loads may read them and nothing is stored there.
    const address = kernel.input.value + kernel.inputBytes.value;
    this.bytes(address, hashBytes).set(Buffer.from(hash, "latin1"));
    if (canonicalHash === undefined) {
      kernel.putHash(address, tag);
      return;
    }
    this.bytes(address + hashBytes, hashBytes).set(Buffer.from(canonicalHash, "latin1"));
    kernel.putVariant(address, tag, address + hashBytes);
  }

  private recordCounts(bucket: number): { hashes: number; variants: number } {
    const variants = this.kernel.variantCount(bucket);
    return { hashes: this.kernel.primaryCount(bucket) + variants, variants };
  }

  private bytes(from: number, length: number): Uint8Array {
    // A new view each time, because growing the memory detaches existing views.
    return new Uint8Array(this.kernel.memory.buffer, from, length);
  }
}

function roundUp(bytes: number): number {
  return bytes < memoryUnit ? bytes : Math.ceil(bytes / memoryUnit) * memoryUnit;
}

function requireKernelExports({ exports }: WebAssembly.Instance): Exports {
  if (!isKernel(exports)) throw new Error("kernel.wasm is not the kernel: run npm run kernel");
  return exports;
}

function isKernel(exports: WebAssembly.Exports): exports is WebAssembly.Exports & Exports {
  return exports.memory instanceof WebAssembly.Memory && typeof exports.scan === "function";
}
