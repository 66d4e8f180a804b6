// sheets/csv-scanner.ts and files/row-reader.ts for rows that are plain: those without a quote inside a cell, whose
// identifiers are ASCII, and of which none is invalid. It stops at every other row, and that one is read there.

import { pushEmail } from "./email";
import { pushHash } from "./hashed";
import { beginRow, takeRow } from "./lanes";
import { allocate, columnRoles, input, mostCells, mostColumns } from "./memory";
import { isSpace, pushPhone } from "./phone";
import {
  kindEmail,
  kindEmailFurther,
  kindHash,
  kindHashFurther,
  kindHashPhone,
  kindPhone,
  kindPhoneFurther,
} from "./tag";

/** What a column is. */
export const roleNone: u8 = 0;
export const roleEmail: u8 = 1;
export const rolePhone: u8 = 2;

const quote: u8 = 34;
const carriageReturn: u8 = 13;

/** Set before a file is scanned. */
export let delimiter: u8 = 44;
export let lineEnd: u8 = 10;
let lastWanted: u32 = 0;

/** Of the last scan: rows that it took, and how many of them hold no identifier. */
export let rowsTaken: u32 = 0;
export let rowsBlank: u32 = 0;

// The identifiers' cells of the row under way: where, how long, of which column.
const cellStarts: usize = allocate(<usize>mostCells * 4);
const cellLengths: usize = allocate(<usize>mostCells * 4);
const cellRoles: usize = allocate(mostCells);
let cells: u32 = 0;

/** `columnRoles` holds a role for each column up to `last`. */
export function openTable(between: u8, end: u8, last: u32): void {
  delimiter = between;
  lineEnd = end;
  lastWanted = last;
}

/** Takes rows from `position` on, in an input of `length` bytes; back with where the first row begins that it did not. */
export function scan(position: u32, length: u32): u32 {
  const end = input + length;
  let row = input + position;
  rowsTaken = 0;
  rowsBlank = 0;
  while (row < end) {
    const next = findCells(row, end);
    if (next == 0) break;
    beginRow();
    if (!readCells()) break;
    takeRow();
    rowsTaken += 1;
    row = next;
  }
  return <u32>(row - input);
}

/** Finds the cells that are wanted; back with where the next row begins, or 0 when this is no row to take. */
function findCells(row: usize, end: usize): usize {
  cells = 0;
  let column: u32 = 0;
  let cell = row;
  while (true) {
    const role = column <= lastWanted ? load<u8>(columnRoles + column) : roleNone;
    let at: usize;
    let stop: usize;
    if (cell < end && load<u8>(cell) == quote) {
      cell += 1;
      stop = endOfQuoted(cell, end, role != roleNone);
      if (stop == 0) return 0;
      at = stop + 1;
      if (at < end && load<u8>(at) == carriageReturn && lineEnd != carriageReturn) at += 1;
      if (at >= end || (load<u8>(at) != lineEnd && (load<u8>(at) != delimiter || at != stop + 1))) return 0;
    } else {
      at = column > lastWanted ? findLineEnd(cell, end) : findEnd(cell, end);
      if (at >= end) return 0;
      if (load<u8>(at) == quote) {
        if (column <= lastWanted || load<u8>(at - 1) != delimiter) return 0;
        // Cells that nobody wants were passed over, up to one in quotes.
        cell = at;
        continue;
      }
      stop = at;
    }
    if (role != roleNone && stop > cell) {
      if (cells == mostCells) return 0;
      store<u32>(cellStarts + (<usize>cells << 2), <u32>cell);
      store<u32>(cellLengths + (<usize>cells << 2), <u32>(stop - cell));
      store<u8>(cellRoles + cells, role);
      cells += 1;
    }
    if (load<u8>(at) == lineEnd) return at - row < <usize>mostColumns ? at + 1 : 0;
    cell = at + 1;
    column += 1;
  }
}

/** Where the next delimiter, quote or end of a line is. */
// @ts-ignore: decorator
@inline
function findEnd(from: usize, end: usize): usize {
  const delimiters = i8x16.splat(delimiter);
  const lineEnds = i8x16.splat(lineEnd);
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const found = v128.or(
      v128.or(i8x16.eq(bytes, delimiters), i8x16.eq(bytes, lineEnds)),
      i8x16.eq(bytes, i8x16.splat(quote)),
    );
    const mask = i8x16.bitmask(found);
    if (mask != 0) return from + ctz(mask);
  }
  return end;
}

/** Where the line ends or the next quote is. */
// @ts-ignore: decorator
@inline
function findLineEnd(from: usize, end: usize): usize {
  const lineEnds = i8x16.splat(lineEnd);
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const mask = i8x16.bitmask(v128.or(i8x16.eq(bytes, lineEnds), i8x16.eq(bytes, i8x16.splat(quote))));
    if (mask != 0) return from + ctz(mask);
  }
  return end;
}

/** Where the quote is that closes a cell, or 0 when it holds what is not for us: a line break, or a quote in a wanted one. */
function endOfQuoted(from: usize, end: usize, wanted: bool): usize {
  while (true) {
    const at = findLineEnd(from, end);
    if (at + 1 >= end || load<u8>(at) != quote) return 0;
    if (load<u8>(at, 1) != quote) return at;
    if (wanted) return 0;
    from = at + 2;
  }
}

/** Brings the row's identifiers into lanes. False when one of them is not for us. */
function readCells(): bool {
  let emails: u32 = 0;
  let phones: u32 = 0;
  for (let index: u32 = 0; index < cells; index += 1) {
    let from = <usize>load<u32>(cellStarts + (<usize>index << 2));
    let length = load<u32>(cellLengths + (<usize>index << 2));
    const isEmail = load<u8>(cellRoles + index) == roleEmail;
    while (length > 0 && isSpace(load<u8>(from))) {
      from += 1;
      length -= 1;
    }
    while (length > 0 && isSpace(load<u8>(from + length - 1))) length -= 1;
    if (length == 0) continue;
    if (isEmail) emails += 1;
    else phones += 1;
    // A row counts by its first address. Phones come after it only if they stand after it: see below.
    const further = isEmail ? emails > 1 : hasEmail(index);
    if (length == 64) {
      const kind = further ? kindHashFurther : isEmail ? kindHash : kindHashPhone;
      if (!pushHash(from, kind)) return false;
    } else if (isEmail) {
      if (!pushEmail(from, length, further ? kindEmailFurther : kindEmail)) return false;
    } else if (!pushPhone(from, length, further ? kindPhoneFurther : kindPhone)) return false;
  }
  // Of several phones without an address the smallest hash counts.
  if (emails == 0 && phones > 1) return false;
  if (emails + phones == 0) rowsBlank += 1;
  return true;
}

/** Whether another cell of the row holds an address. */
function hasEmail(phone: u32): bool {
  for (let index: u32 = 0; index < cells; index += 1) {
    if (index == phone || load<u8>(cellRoles + index) != roleEmail) continue;
    const from = <usize>load<u32>(cellStarts + (<usize>index << 2));
    const length = <usize>load<u32>(cellLengths + (<usize>index << 2));
    for (let at = from; at < from + length; at += 1) if (!isSpace(load<u8>(at))) return true;
  }
  return false;
}
