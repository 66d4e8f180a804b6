// Where things are in the kernel's memory. Fixed places first; what grows with the number of people comes after them.

/** Bytes of a file that are read at once; vectors may look 64 bytes beyond. */
export const inputBytes: u32 = 1_572_864;
export const mostColumns: u32 = 2_000;
/** Identifiers of one row; of a row with more the kernel takes none. */
export const mostCells: u32 = 8;
/** A hash, in bytes. */
export const hashBytes: u32 = 32;

const page: usize = 65_536;
let next: usize = (__heap_base + 63) & ~63;

/** So many bytes, for ever or until `releaseTo`. Traps when there is no more memory. */
export function allocate(bytes: usize): usize {
  const at = next;
  next = (next + bytes + 15) & ~15;
  const missing = <isize>(next - ((<usize>memory.size()) << 16));
  // Four megabytes at once: each growth is a call to the system.
  if (missing > 0 && memory.grow(<i32>max<usize>((<usize>missing + page - 1) / page, 64)) < 0) unreachable();
  return at;
}

export function allocated(): usize {
  return next;
}

/** Gives back everything that was allocated since `allocated` said `to`. */
export function releaseTo(to: usize): void {
  next = to;
}

// What the calls read and write.
export const input: usize = allocate(<usize>inputBytes + 64);
/** What each column is: see `roles`. */
export const columnRoles: usize = allocate(<usize>mostColumns + 1);
