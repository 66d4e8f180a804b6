import { readFileSync } from "node:fs";
import { projectFile } from "#app/project-file.server.ts";
import type { Columns } from "../files/columns.ts";
import { type Block, hashBytes } from "../members/block.ts";
import { hashesOfPerson, type TaggedHash } from "../members/member-set.server.ts";
import type { Identifier, IdentifierType } from "../members/read-identifier.ts";

/** What `assembly/index.ts` exports. */
type Exports = {
  memory: WebAssembly.Memory;
  input: WebAssembly.Global<"i32">;
  inputBytes: WebAssembly.Global<"i32">;
  columnRoles: WebAssembly.Global<"i32">;
  mostColumns: WebAssembly.Global<"i32">;
  rowsTaken: WebAssembly.Global<"i32">;
  rowsBlank: WebAssembly.Global<"i32">;
  sortedCount: WebAssembly.Global<"i32">;
  sortedHashes: WebAssembly.Global<"i32">;
  sortedSpellingCount: WebAssembly.Global<"i32">;
  sortedSpellings: WebAssembly.Global<"i32">;
  sortedTags: WebAssembly.Global<"i32">;
  openTable: (delimiter: number, lineEnd: number, lastColumn: number) => void;
  scan: (position: number, length: number) => number;
  finishLanes: () => void;
  putHash: (hash: number, tag: number) => void;
  putSpelling: (hash: number, tag: number, own: number) => void;
  recordCount: () => number;
  forgetAll: () => void;
  sortBucket: (index: number) => void;
};

const roles: Record<IdentifierType, number> = { email: 1, phone: 2 };
let compiled: WebAssembly.Module | undefined;

/**
 * The hashes of people as they are read, in 256 buckets by first byte, and the fast way there: plain rows of delimited
 * text are split, checked, normalised and hashed by a kernel of WebAssembly, four addresses at once (docs/decisions/0018).
 * Whatever it leaves comes through `addPerson`.
 */
export class MemberKernel {
  private readonly kernel: Exports;
  private loaded = 0;

  constructor() {
    compiled ??= new WebAssembly.Module(readFileSync(projectFile("app/domain/audiences/kernel/kernel.wasm")));
    this.kernel = exportsOf(new WebAssembly.Instance(compiled));
  }

  /** Says what the columns of the text are that comes next. */
  openTable({ delimiter, lineEnd, columns }: { delimiter: number; lineEnd: number; columns: Columns }): void {
    const { kernel } = this;
    const places = this.bytes(kernel.columnRoles.value, kernel.mostColumns.value + 1).fill(0);
    for (const { index, type } of columns.identifiers) places[index] = roles[type];
    kernel.openTable(delimiter, lineEnd, Math.max(...columns.identifiers.map(({ index }) => index)));
  }

  /** Lays text ready to be taken from. False when it is too long for that. */
  load(text: Uint8Array): boolean {
    const { input, inputBytes } = this.kernel;
    if (text.length > inputBytes.value) return false;
    this.bytes(input.value, text.length).set(text);
    this.loaded = text.length;
    return true;
  }

  /** Takes rows from `position` on, up to the first that it does not take, which is where it stopped. */
  take(position: number): { position: number; rows: number; blank: number } {
    const { kernel } = this;
    const stopped = kernel.scan(position, this.loaded);
    return { position: stopped, rows: kernel.rowsTaken.value, blank: kernel.rowsBlank.value };
  }

  /** As MemberSet's. */
  addPerson(identifiers: readonly Identifier[]): void {
    for (const hash of hashesOfPerson(identifiers)) this.put(hash);
  }

  /** Hashes that are kept, those included that came more than once. */
  get count(): number {
    this.kernel.finishLanes();
    return this.kernel.recordCount();
  }

  /** The hashes of bucket `index`, sorted, each once. The bucket stays as it is. */
  bucket(index: number): Block {
    const { kernel } = this;
    kernel.finishLanes();
    kernel.sortBucket(index);
    const count = kernel.sortedCount.value;
    return {
      hashes: this.bytes(kernel.sortedHashes.value, count * hashBytes).slice(),
      tags: this.bytes(kernel.sortedTags.value, count).slice(),
      spellings: this.bytes(kernel.sortedSpellings.value, kernel.sortedSpellingCount.value * hashBytes).slice(),
    };
  }

  /** Begins anew with nobody, in the memory that is there. */
  forget(): void {
    this.kernel.finishLanes();
    this.kernel.forgetAll();
  }

  /** One hash, with its own hash when it is another spelling. */
  put({ hash, tag, own }: TaggedHash): void {
    const { kernel } = this;
    // Behind what may be laid ready, where vectors may look but nothing is kept.
    const place = kernel.input.value + kernel.inputBytes.value;
    this.bytes(place, hashBytes).set(Buffer.from(hash, "latin1"));
    if (own === undefined) {
      kernel.putHash(place, tag);
      return;
    }
    this.bytes(place + hashBytes, hashBytes).set(Buffer.from(own, "latin1"));
    kernel.putSpelling(place, tag, place + hashBytes);
  }

  private bytes(from: number, length: number): Uint8Array {
    // Made anew each time: when the memory grows, what looked at it looks at nothing.
    return new Uint8Array(this.kernel.memory.buffer, from, length);
  }
}

function exportsOf({ exports }: WebAssembly.Instance): Exports {
  if (!isKernel(exports)) throw new Error("kernel.wasm is not the kernel: run npm run kernel");
  return exports;
}

function isKernel(exports: WebAssembly.Exports): exports is WebAssembly.Exports & Exports {
  return exports.memory instanceof WebAssembly.Memory && typeof exports.scan === "function";
}
