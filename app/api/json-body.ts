import { setImmediate as nextTurn } from "node:timers/promises";
import { Problem } from "./problem.ts";

const maxDepth = 20;
/** Above the usual limits of schemas, so that a schema can reject slightly longer lists with its own message. */
const usualMaxItems = 12_000;
/** The bytes parsed in one turn; other requests run in between. */
const groupBytes = 64 * 1024;
/** The maximum size in bytes of what cannot be split: one list item, or everything around the lists. */
const maxPieceBytes = 1024 * 1024;

/**
 * Parses a JSON body without blocking other requests. A byte scan before the parser limits nesting depth and list
 * length, and locates the items of long lists (the body itself, or fields of the body), which are parsed in groups.
 * Keys that name a prototype are dropped. Throws a Problem for invalid JSON.
 */
export async function parseJsonBody(body: Uint8Array, maxItems = usualMaxItems): Promise<unknown> {
  const bytes = withoutMark(body);
  if (bytes.byteLength <= groupBytes) {
    await scan(bytes, { maxItems, onGroup: () => undefined });
    return parse(bytes, 0, bytes.byteLength);
  }
  const groups: Group[] = [];
  await scan(bytes, { maxItems, onGroup: (group) => groups.push(group) });
  const lists: unknown[][] = [];
  for (const { list, from, to } of groups) {
    const known = lists[list];
    const items = parse(bytes, from, to, "[]");
    // After an earlier group, its trailing comma must be followed by an item.
    if (!Array.isArray(items) || (known && items.length === 0)) throw notJson();
    if (known) for (const item of items) known.push(item);
    else lists[list] = items;
    await nextTurn();
  }
  return withLists(parse(outline(bytes, groups), 0, Number.POSITIVE_INFINITY), lists);
}

/** Parses JSON Lines, one value per line; blank lines are skipped. */
export async function parseJsonLines(bytes: Uint8Array): Promise<unknown[]> {
  const values: unknown[] = [];
  const body = withoutMark(bytes);
  for (let from = 0, parsed = 0; from < body.length; ) {
    const end = body.indexOf(0x0a, from);
    const to = end === -1 ? body.length : end;
    const line = decode(body.subarray(from, to));
    if (line.trim() !== "") values.push(await parseJsonBody(body.subarray(from, to)));
    if (values.length > usualMaxItems) throw new Problem("malformed", "The body has too many lines");
    parsed += to - from + 64;
    if (parsed > groupBytes) {
      parsed = 0;
      await nextTurn();
    }
    from = to + 1;
  }
  return values;
}

/** Adjacent items of one list; `list` numbers the lists in the order in which they begin. */
type Group = { list: number; from: number; to: number };

type Scan = { maxItems: number; onGroup: (group: Group) => void };

/** Scans the bytes once. Items are those of a list that is the body itself or the value of one of its fields. */
async function scan(bytes: Uint8Array, { maxItems, onGroup }: Scan): Promise<void> {
  const open: number[] = [];
  let [list, listDepth, items, from] = [-1, 0, 0, 0];
  let [inString, escaped, pieceFrom, outside] = [false, false, 0, 0];
  for (let at = 0; at < bytes.length; at += 1) {
    if (at % (4 * groupBytes) === 0 && at > 0) await nextTurn();
    const byte = bytes[at];
    if (inString) {
      if (escaped) escaped = false;
      else if (byte === 0x5c) escaped = true;
      else if (byte === 0x22) inString = false;
      continue;
    }
    if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      open.push(byte);
      if (open.length > maxDepth)
        throw new Problem("malformed", `The request body is nested more than ${maxDepth} levels deep`);
      const startsList = byte === 0x5b && (open.length === 1 || (open.length === 2 && open[0] === 0x7b));
      if (!startsList) continue;
      outside += at - pieceFrom;
      [list, listDepth, items, from, pieceFrom] = [list + 1, open.length, 1, at + 1, at + 1];
    } else if (byte === 0x2c && listDepth > 0 && open.length === listDepth) {
      items += 1;
      if (items > maxItems) throw new Problem("malformed", "The body has a list that is too long");
      if (at - pieceFrom > maxPieceBytes) throw tooLarge();
      pieceFrom = at + 1;
      if (at - from < groupBytes) continue;
      onGroup({ list, from, to: at });
      from = at + 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (listDepth > 0 && open.length === listDepth) {
        if (at - pieceFrom > maxPieceBytes) throw tooLarge();
        onGroup({ list, from, to: at });
        [listDepth, pieceFrom] = [0, at];
      }
      open.pop();
    }
  }
  if (outside + bytes.length - pieceFrom > maxPieceBytes) throw tooLarge();
}

/** Returns the body with each list replaced by its number. */
function outline(bytes: Uint8Array, groups: readonly Group[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [index, { list, from, to }] of groups.entries()) {
    if (groups[index - 1]?.list !== list) parts.push(bytes.subarray(at, from), Buffer.from(String(list)));
    at = to;
  }
  return Buffer.concat([...parts, bytes.subarray(at)]);
}

/** Returns the outline's value with the parsed lists put back. */
function withLists(value: unknown, lists: readonly unknown[][]): unknown {
  const listOf = (inner: unknown) => (Array.isArray(inner) ? lists[Number(inner[0])] : inner);
  if (Array.isArray(value)) return listOf(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, listOf(inner)]));
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
/** Matches the key plain or with a character escaped, as in `\u005f`. */
const prototypeKey = /__proto__|\\u00[567]/i;

/** Removes a UTF-8 byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Parses a slice of the body, wrapped in `brackets` if given. */
function parse(bytes: Uint8Array, from: number, to: number, brackets = ""): unknown {
  const text = brackets.slice(0, 1) + decode(bytes.subarray(from, to)) + brackets.slice(1);
  try {
    if (!prototypeKey.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value));
  } catch {
    throw notJson();
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem("malformed", "The request body must be UTF-8");
  }
}

function notJson(): Problem {
  return new Problem("malformed", "The request body is not valid JSON");
}

function tooLarge(): Problem {
  return new Problem("malformed", "A value in the body is larger than 1 MB");
}
