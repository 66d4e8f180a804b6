// The fast path of sheets/csv-scanner.ts and files/row-reader.ts for simple rows: no quote inside a cell, ASCII
// identifiers only, none of them invalid. Scanning stops at every other row, which TypeScript then reads.

import { beginConsents, consentCount, countOptOut, hasOptOut, optOutOf, readConsent } from "./consent";
import { pushEmail } from "./email";
import { pushHash } from "./parse-hash";
import { beginRow, commitRow } from "./lanes";
import { allocate, columnRoles, input, maxCells, maxColumns } from "./memory";
import { isSpace, pushPhone } from "./phone";
import {
  kindEmail,
  kindSecondaryEmail,
  kindHash,
  kindSecondaryHash,
  kindHashPhone,
  kindPhone,
  kindSecondaryPhone,
} from "./identifier-flags";

/** The role of a column. */
export const roleNone: u8 = 0;
export const roleEmail: u8 = 1;
export const rolePhone: u8 = 2;
/** The first column about consent; the others follow. */
export const roleConsent: u8 = 3;

const quote: u8 = 34;
const lineFeed: u8 = 10;
const carriageReturn: u8 = 13;

/** Set before a file is scanned. */
export let delimiter: u8 = 44;
export let lineEnd: u8 = 10;
let lastWanted: u32 = 0;

/** The number of rows handled by the last scan, and how many of them hold no identifier. */
export let rowsScanned: u32 = 0;
export let rowsBlank: u32 = 0;

// The identifier cells of the current row: address, length and role.
const cellStarts: usize = allocate(<usize>maxCells * 4);
const cellLengths: usize = allocate(<usize>maxCells * 4);
const cellRoles: usize = allocate(maxCells);
let cells: u32 = 0;
/** The column about consent, counted from 1, that keeps an identifier of the current row out; 0 when none does. */
let withheldBy: u32 = 0;

/** `columnRoles` holds a role for each column up to `last`. */
export function openTable(between: u8, end: u8, last: u32): void {
  delimiter = between;
  lineEnd = end;
  lastWanted = last;
}

/**
 * Handles rows from `position` on in an input of `length` bytes. Returns the position of the first row that is not
 * handled.
 */
export function scan(position: u32, length: u32): u32 {
  const end = input + length;
  let row = input + position;
  rowsScanned = 0;
  rowsBlank = 0;
  while (row < end) {
    const next = findCells(row, end);
    if (next == 0) break;
    beginRow();
    withheldBy = 0;
    if (consentCount != 0 && hasOptOut() && !withholdCells()) break;
    if (!readCells()) break;
    commitRow();
    rowsScanned += 1;
    row = next;
  }
  return <u32>(row - input);
}

/** Finds the identifier cells of a row. Returns the address of the next row, or 0 when the row is not handled here. */
function findCells(row: usize, end: usize): usize {
  cells = 0;
  if (consentCount != 0) beginConsents();
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
      at = column > lastWanted ? findLineBreak(cell, end) : findEnd(cell, end);
      if (at >= end) return 0;
      if (load<u8>(at) == quote) {
        if (column <= lastWanted || load<u8>(at - 1) != delimiter) return 0;
        // The search for the line break skipped unneeded cells, up to one in quotes.
        cell = at;
        continue;
      }
      stop = at;
      if (load<u8>(at) == carriageReturn && lineEnd != carriageReturn) at += 1;
      if (at >= end || (load<u8>(at) != lineEnd && (load<u8>(at) != delimiter || at != stop))) return 0;
    }
    if (role >= roleConsent) {
      if (stop > cell && !readConsentCell(role - roleConsent, cell, stop)) return 0;
    } else if (role != roleNone && stop > cell) {
      if (cells == maxCells) return 0;
      store<u32>(cellStarts + (<usize>cells << 2), <u32>cell);
      store<u32>(cellLengths + (<usize>cells << 2), <u32>(stop - cell));
      store<u8>(cellRoles + cells, role);
      cells += 1;
    }
    if (load<u8>(at) == lineEnd) return at - row < <usize>maxColumns ? at + 1 : 0;
    cell = at + 1;
    column += 1;
  }
}

/** Returns false when the value is not known; a blank cell is like none. */
function readConsentCell(consent: u32, from: usize, to: usize): bool {
  while (from < to && isSpace(load<u8>(from))) from += 1;
  while (to > from && isSpace(load<u8>(to - 1))) to -= 1;
  return from == to || readConsent(consent, from, <u32>(to - from));
}

/** Removes the cells that the person opted out for. Returns false when one of them is not handled here. */
function withholdCells(): bool {
  let kept: u32 = 0;
  for (let index: u32 = 0; index < cells; index += 1) {
    const role = load<u8>(cellRoles + index);
    const column = optOutOf(role == roleEmail);
    const at = <usize>index << 2;
    let from = <usize>load<u32>(cellStarts + at);
    if (column == 0) {
      store<u32>(cellStarts + (<usize>kept << 2), <u32>from);
      store<u32>(cellLengths + (<usize>kept << 2), load<u32>(cellLengths + at));
      store<u8>(cellRoles + kept, role);
      kept += 1;
      continue;
    }
    const end = from + load<u32>(cellLengths + at);
    while (from < end && isSpace(load<u8>(from))) from += 1;
    if (from == end) continue;
    // Spaces that are not ASCII may make the cell blank.
    if (load<u8>(from) > 127) return false;
    if (withheldBy == 0) withheldBy = column;
  }
  cells = kept;
  return true;
}

/** Whether bytes are line feeds, carriage returns or what is between them in ASCII. */
// @ts-ignore: decorator
@inline
function breaksOf(bytes: v128): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(lineFeed)), i8x16.splat(carriageReturn - lineFeed + 1));
}

/** Finds the next delimiter, quote or line break, whichever lines of the file end with. */
// @ts-ignore: decorator
@inline
function findEnd(from: usize, end: usize): usize {
  const delimiters = i8x16.splat(delimiter);
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const found = v128.or(
      v128.or(i8x16.eq(bytes, delimiters), breaksOf(bytes)),
      i8x16.eq(bytes, i8x16.splat(quote)),
    );
    const mask = i8x16.bitmask(found);
    if (mask != 0) return from + ctz(mask);
  }
  return end;
}

/** Finds the next line break or quote. */
// @ts-ignore: decorator
@inline
function findLineBreak(from: usize, end: usize): usize {
  for (; from < end; from += 16) {
    const bytes = v128.load(from);
    const mask = i8x16.bitmask(v128.or(breaksOf(bytes), i8x16.eq(bytes, i8x16.splat(quote))));
    if (mask != 0) return from + ctz(mask);
  }
  return end;
}

/**
 * Finds the closing quote of a cell. Returns 0 for a cell that is not handled here: one with a line break, or an
 * identifier cell with a quote.
 */
function endOfQuoted(from: usize, end: usize, wanted: bool): usize {
  while (true) {
    const at = findLineBreak(from, end);
    if (at + 1 >= end || load<u8>(at) != quote) return 0;
    if (load<u8>(at, 1) != quote) return at;
    if (wanted) return 0;
    from = at + 2;
  }
}

/** Writes the row's identifiers into lanes. Returns false when one of them is not handled here. */
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
    // The first email address identifies a row. A phone number is primary only if no other cell holds an address.
    const further = isEmail ? emails > 1 : hasEmail(index);
    if (length == 64) {
      const kind = further ? kindSecondaryHash : isEmail ? kindHash : kindHashPhone;
      if (!pushHash(from, kind)) return false;
    } else if (isEmail) {
      if (!pushEmail(from, length, further ? kindSecondaryEmail : kindEmail)) return false;
    } else if (!pushPhone(from, length, further ? kindSecondaryPhone : kindPhone)) return false;
  }
  // Of several phone numbers without an address, the smallest hash is primary.
  if (emails == 0 && phones > 1) return false;
  if (withheldBy != 0) countOptOut(withheldBy, emails + phones > 0);
  else if (emails + phones == 0) rowsBlank += 1;
  return true;
}

/** Returns whether another cell of the row holds an email address. */
function hasEmail(phone: u32): bool {
  for (let index: u32 = 0; index < cells; index += 1) {
    if (index == phone || load<u8>(cellRoles + index) != roleEmail) continue;
    const from = <usize>load<u32>(cellStarts + (<usize>index << 2));
    const length = <usize>load<u32>(cellLengths + (<usize>index << 2));
    for (let at = from; at < from + length; at += 1) if (!isSpace(load<u8>(at))) return true;
  }
  return false;
}
