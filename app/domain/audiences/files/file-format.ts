import type { TextEncoding } from "./text-file.ts";

/** What a file is by its first bytes. Its name and its announced type say nothing that counts. */
type FileFormat =
  | { kind: "text"; encoding: TextEncoding }
  | { kind: "xlsx" }
  | { kind: "xls" }
  | { kind: "refused"; message: string };

const sendTable = "Send a table as .csv, .xlsx or .xls.";
const foreign: [prefix: string, what: string][] = [
  ["255044462d", "a PDF"],
  ["1f8b", "a gzip archive"],
  ["89504e47", "a picture"],
  ["ffd8ff", "a picture"],
  ["47494638", "a picture"],
  ["377abcaf", "an archive"],
  ["52617221", "an archive"],
];

/** `head`: the file's first 8 KB, or all of it. */
export function formatOf(head: Buffer): FileFormat {
  if (head.length === 0) return refused("The file is empty");
  if (startsWith(head, "504b0304")) return { kind: "xlsx" };
  if (startsWith(head, "d0cf11e0a1b11ae1")) return { kind: "xls" };
  const known = foreign.find(([prefix]) => startsWith(head, prefix));
  if (known) return refused(`This is ${known[1]}, whatever its name says. ${sendTable}`);
  if (startsWith(head, "fffe")) return { kind: "text", encoding: "utf-16le" };
  if (startsWith(head, "feff")) return { kind: "text", encoding: "utf-16be" };
  if (/^\s*<(!doctype html|html|\?xml)/i.test(head.toString("latin1", 0, 200))) {
    return refused(`This is a web page or XML, not a table. ${sendTable}`);
  }
  // A stray NUL makes its row invalid; a file full of them is no text, or UTF-16 without the mark that says so.
  const nothings = head.reduce((count, byte) => (byte === 0 ? count + 1 : count), 0);
  if (nothings * 50 > head.length) {
    return refused("This is no text. If it is a table, save it as CSV with the encoding UTF-8.");
  }
  return { kind: "text", encoding: "utf-8" };
}

function startsWith(head: Buffer, prefix: string): boolean {
  return head.toString("hex", 0, prefix.length / 2) === prefix;
}

function refused(message: string): FileFormat {
  return { kind: "refused", message };
}
