// The layout of the kernel's memory: fixed allocations first, followed by what grows with the number of members.

/** The number of bytes of a file that are scanned at once; vector loads may read 64 bytes beyond them. */
export const inputBytes: u32 = 1_572_864;
export const maxColumns: u32 = 2_000;
/** The maximum number of identifiers in a row; the kernel leaves rows with more to TypeScript. */
export const maxCells: u32 = 8;
/** The size of a hash in bytes. */
export const hashBytes: u32 = 32;

const page: usize = 65_536;
let next: usize = (__heap_base + 63) & ~63;

/** Allocates `bytes` bytes, permanently or until `releaseTo`. Traps when memory is exhausted. */
export function allocate(bytes: usize): usize {
  const at = next;
  next = (next + bytes + 15) & ~15;
  const missing = <isize>(next - ((<usize>memory.size()) << 16));
  // Memory grows by at least 32 megabytes, because V8 collects garbage after nearly each growth. It takes up no space
  // until it is written.
  if (missing > 0 && memory.grow(<i32>max<usize>((<usize>missing + page - 1) / page, 512)) < 0) unreachable();
  return at;
}

export function allocated(): usize {
  return next;
}

/** Makes the next allocation begin with a line of the processor's cache. */
export function alignToLine(): void {
  next = (next + 63) & ~63;
}

/** Frees everything allocated since `allocated` returned `to`. */
export function releaseTo(to: usize): void {
  next = to;
}

// The buffers that the exported functions read and write.
export const input: usize = allocate(<usize>inputBytes + 64);
/** The role of each column: see the `role…` constants in scan.ts. */
export const columnRoles: usize = allocate(<usize>maxColumns + 1);
