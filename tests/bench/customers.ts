import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file of customers: its size in megabytes is `BENCH_MEGABYTES` (default 100). */
const megabytes = Number(process.env.BENCH_MEGABYTES ?? 100);

const firsts = "ada ben chloe dario emma felix grace hugo ines jonas kira liam maria noah olga paul rosa sam tess zoe";
const lasts = "adler brown costa dubois evans fischer garcia hansen ito jensen kim lopez meyer novak olsen patel quinn";
const domains = "example.com mail.test post.example yahoo.example outlook.test";
const words = (text: string) => text.split(" ");
const pick = (list: readonly string[], at: number) => list[at % list.length] ?? "";
const [firstNames, lastNames, mailDomains] = [words(firsts), words(lasts), words(domains)];

export type Customers = { bytes: Buffer; rows: number; columns: readonly string[] };

/**
 * Customers as a shop exports them, one row each: three in ten at Gmail, one in a hundred with dots that Gmail drops,
 * some in capitals, one in two hundred twice, one in a thousand misspelt. The same file each time.
 */
export function customers({ columns }: { columns: 1 | 10 }): Customers {
  const maxBytes = megabytes * 1_000_000;
  const names = columns === 1 ? ["Email"] : tenColumns;
  const parts: Buffer[] = [Buffer.from(`${names.join(",")}\n`)];
  let length = 0;
  let rows = 0;
  while (length < maxBytes) {
    let text = "";
    for (let end = rows + 10_000; rows < end; rows += 1) {
      const row = columns === 1 ? addressOf(rows) : rowOf(rows);
      if (length + text.length + row.length + 1 > maxBytes) {
        parts.push(Buffer.from(text));
        return { bytes: Buffer.concat(parts), rows, columns: names };
      }
      text += `${row}\n`;
    }
    length += text.length;
    parts.push(Buffer.from(text));
  }
  return { bytes: Buffer.concat(parts), rows, columns: names };
}

/** Writes the file to a path where another program can read it. */
export function asFile(bytes: Buffer): { path: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "endcap-bench-"));
  const path = join(folder, "customers.csv");
  writeFileSync(path, bytes);
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

const tenColumns = words("Id First Last Email City Postcode Orders Total Since Note");

function rowOf(row: number): string {
  const [first, last] = [pick(firstNames, row), pick(lastNames, row * 7)];
  const total = ((row * 7919) % 100_000) / 100;
  return `${100_000 + row},${first},${last},${addressOf(row)},Springfield,${10_000 + (row % 89_999)},${row % 40},${total},2024-0${1 + (row % 9)}-1${row % 10},no note`;
}

function addressOf(row: number): string {
  const number = row % 200 === 199 ? row - 1 : row;
  const [first, last] = [pick(firstNames, number), pick(lastNames, number * 7)];
  if (row % 1_000 === 500) return `${first}.${last}${number}`;
  const kind = number % 10;
  if (kind < 3) return `${first}${number % 100 === 0 ? "." : ""}${last}${number}@gmail.com`;
  const address = `${first}.${last}${number}@${pick(mailDomains, number)}`;
  return kind === 4 ? address.toUpperCase() : address;
}
