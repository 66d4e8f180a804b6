import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 } from "uuid";
import { z } from "zod";
import { sharedXml, sheetXml, workbookFiles } from "#tests/sheets/support/workbook.ts";
import { zip } from "#tests/sheets/support/zip.ts";
import { asFile } from "./customers.ts";
import type { BenchWorld } from "./support/bench-world.ts";
import { medianRatio, type Row, secondsOf, times } from "./support/pairs.ts";
import { asForm, sendRequest } from "./upload.ts";
import { memoryOf } from "./uploads.ts";

const count = 100_000;
const columns = "name,sku,category,price,inventory,image_url,description,brand";
const responseSchema = z.object({
  import: z.object({ id: z.string(), status: z.string(), created: z.number(), error: z.string().nullable() }),
});

type CatalogFile = { name: string; bytes: Buffer };

/**
 * Row 8: a catalog over HTTP, previewed and committed, against `psql \copy` of its rows into the same table; and the
 * memory that it needs, as a text and as a workbook.
 */
export async function catalogImports(world: BenchWorld): Promise<Row[]> {
  const file = {
    name: "products.csv",
    bytes: Buffer.from([columns, ...rows().map((row) => row.join(","))].join("\n")),
  };
  const work = `catalog of ${count.toLocaleString("en-US")} rows, ${(file.bytes.length / 1e6).toFixed(0)} MB, previewed and committed`;
  const idle = memoryOf(world, "VmRSS");
  const memory = await peakMemory(world, file);
  const workbook = await peakMemory(world, { name: "products.xlsx", bytes: asWorkbook() });
  const overIdle = (peak: number) => `${(peak - idle).toFixed(0)} MB`;
  return [
    { row: "8", work: `${work}, against psql \\copy`, reached: await againstCopy(world, file), goal: "≤ 6×" },
    { row: "8", work: "memory over idle of the same", reached: overIdle(memory), goal: "≤ 200 MB" },
    { row: "8", work: "memory over idle of the same rows as XLSX", reached: overIdle(workbook), goal: "≤ 200 MB" },
  ];
}

/** Returns the peak memory of the server during an import, in MB. */
async function peakMemory(world: BenchWorld, file: CatalogFile): Promise<number> {
  await empty(world);
  writeFileSync(`/proc/${world.server.serverPid()}/clear_refs`, "5");
  await importFile(world, file);
  return memoryOf(world, "VmHWM");
}

/** The catalog as Excel writes it: each distinct text once, in the shared strings. */
function asWorkbook(): Buffer {
  const texts = new Map<string, number>();
  const indexOf = (text: string) => {
    const index = texts.get(text) ?? texts.size;
    texts.set(text, index);
    return index;
  };
  const lines = [columns.split(","), ...rows()].map((row, index) => {
    const cells = row.map((value, column) => {
      const reference = `${"ABCDEFGH"[column]}${index + 1}`;
      const isNumber = index > 0 && (column === 3 || column === 4);
      return isNumber
        ? `<c r="${reference}"><v>${value}</v></c>`
        : `<c r="${reference}" t="s"><v>${indexOf(value)}</v></c>`;
    });
    return `<row r="${index + 1}">${cells.join("")}</row>`;
  });
  const sharedStrings = sharedXml([...texts.keys()].map((text) => text.replaceAll(">", "&gt;")));
  return zip(workbookFiles({ sheets: [{ name: "Products", xml: sheetXml(lines.join("")) }], sharedStrings }));
}

async function againstCopy(world: BenchWorld, file: CatalogFile): Promise<string> {
  if (spawnSync("psql", ["--version"]).status !== 0) return "psql is not installed";
  const owner = await accountOf(world, "second-publisher@example.com");
  const lines = rows().map(([name, sku, category, price, ...more]) => {
    const row = [v7(), owner, name, sku, category, Math.round(Number(price) * 100), ...more];
    return row.join(",");
  });
  const { path, remove } = asFile(Buffer.from(`${lines.join("\n")}\n`));
  const into = "products (id, account_id, name, sku, category, price_cents, inventory, image_url, description, brand)";
  const copy = () => {
    const run = [
      "-c",
      "1",
      "psql",
      "-X",
      "-q",
      "-v",
      "ON_ERROR_STOP=1",
      "-c",
      `\\copy ${into} from '${path}' with (format csv)`,
    ];
    const ran = spawnSync("taskset", [...run, world.databaseUrl], { encoding: "utf8" });
    if (ran.status !== 0) throw new Error(ran.stderr);
  };
  const ratio = await medianRatio({
    before: () => empty(world),
    ours: async () => {
      await empty(world);
      return secondsOf(() => importFile(world, file));
    },
    theirs: async () => {
      await empty(world);
      return secondsOf(async () => copy());
    },
  });
  remove();
  return `${times(ratio)} its time`;
}

/** Sends the file, waits for its preview, commits it, and resolves when its products exist. */
async function importFile(world: BenchWorld, { name, bytes }: CatalogFile): Promise<void> {
  const sent = await sendRequest(world, "/api/products/imports", asForm(name, bytes));
  const id = responseSchema.parse(JSON.parse(sent)).import.id;
  const previewed = await settled(world, id);
  if (previewed.created !== count) throw new Error(`${previewed.created} would be created: ${previewed.error}`);
  await sendRequest(world, `/api/products/imports/${id}/commit`, { type: "application/json", body: [] });
  const done = await settled(world, id);
  if (done.status !== "succeeded" || done.created !== count) throw new Error(done.error ?? "not all were imported");
}

async function settled(world: BenchWorld, id: string) {
  for (;;) {
    const found = responseSchema.parse(JSON.parse(await sendRequest(world, `/api/products/imports/${id}`))).import;
    if (found.status !== "running") return found;
    await sleep(10);
  }
}

async function accountOf({ sql }: BenchWorld, email: string): Promise<string> {
  const [found] = z
    .array(z.object({ id: z.string() }))
    .parse(await sql`select account_id as id from users where email = ${email}`);
  if (!found) throw new Error(`nobody is ${email}`);
  return found.id;
}

async function empty({ sql }: BenchWorld): Promise<void> {
  await sql`delete from products where sku like 'BENCH-%'`;
  await sql`vacuum products`;
  await sql`checkpoint`;
}

/** Returns the rows of a catalog with `columns`; the same each time. */
function rows(): string[][] {
  const things = ["Kettle", "Lamp", "Tent", "Stove", "Mug", "Rope", "Pack", "Boot"];
  return Array.from({ length: count }, (_, row) => [
    `${things[row % 8]} of the ${row % 97}th kind ${row}`,
    `BENCH-${row}`,
    `Outdoors > ${things[(row * 7) % 8]}s`,
    `${(row * 7919) % 900}.${10 + (row % 90)}`,
    String(row % 400),
    `https://cdn.example.com/pictures/${row}.jpg`,
    `A ${things[row % 8]?.toLowerCase()} that lasts; number ${row} of its kind`,
    `Brand ${row % 50}`,
  ]);
}
