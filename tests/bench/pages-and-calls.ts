import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { freePort } from "#tests/support/app-server.ts";
import { type BenchWorld, pinTo, size } from "./bench-world.ts";
import { type Call, requestsPerSecond, send } from "./load.ts";
import { medianRatio, type Row, times } from "./pairs.ts";

const listSchema = z.object({ campaigns: z.array(z.object({ id: z.string() })) });

/** Rows 9 and 10: the same page and the same calls by the product and by the plain reference, 8 at once. */
export async function pagesAndCalls(world: BenchWorld): Promise<Row[]> {
  const reference = await startReference(world.databaseUrl);
  const ours = (path: string, cookie: string): Call => ({ url: world.server.origin + path, headers: { cookie } });
  const theirs = (path: string, cookie: string): Call => ({ url: reference.origin + path, headers: { cookie } });
  const { advertiser, publisher } = world.cookies;
  const rows: Row[] = [];
  const compare = async (row: string, work: string, goal: string, pair: { ours: Call; theirs: Call }) => {
    const ratio = await medianRatio({
      before: async () => void (await world.sql`checkpoint`),
      ours: () => requestsPerSecond(150, 8, () => pair.ours),
      theirs: () => requestsPerSecond(600, 8, () => pair.theirs),
    });
    rows.push({ row, work, reached: `${times(ratio)} its rate`, goal });
  };
  const page = { ours: ours("/advertiser/campaigns", advertiser), theirs: theirs("/page", advertiser) };
  same(await namesOn(page.ours), await namesOn(page.theirs));
  await compare("9", `list of 25 of ${size} campaigns, against a string template`, "≥ 0.2×, then 0.3×", page);
  for (const [name, path, plain, who] of [
    ["me", "/api/users/me", "/me", publisher],
    ["approval list", "/api/campaigns/approval?limit=25", "/approval", publisher],
    ["retailer list", "/api/retailer/campaigns?limit=25", "/retailer", publisher],
  ] as const) {
    const pair = { ours: ours(path, who), theirs: theirs(plain, who) };
    same(await idsIn(pair.ours), await idsIn(pair.theirs));
    await compare("10", `JSON: ${name}, against node:http and postgres.js`, "≥ 0.3×, then 0.5×", pair);
  }
  rows.push(...(await weights(world)));
  reference.stop();
  return rows;
}

async function startReference(databaseUrl: string): Promise<{ origin: string; stop: () => void }> {
  const port = await freePort();
  const program = resolve(import.meta.dirname, "reference/plain-server.ts");
  const child = spawn(process.execPath, ["--import", "tsx", program, databaseUrl, String(port)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  pinTo(0, child.pid);
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

/** Row 17: what a portal page makes a browser load, gzip. */
async function weights(world: BenchWorld): Promise<Row[]> {
  const html = await send({
    url: `${world.server.origin}/advertiser/campaigns`,
    headers: { cookie: world.cookies.advertiser },
  });
  const scripts = new Set(html.match(/\/assets\/[\w.-]+\.js/g));
  let bytes = 0;
  for (const script of scripts) bytes += gzipSync(await send({ url: world.server.origin + script })).length;
  const kilobytes = (count: number) => `${(count / 1024).toFixed(1)} KB`;
  return [
    {
      row: "17",
      work: `script on a portal page, gzip, ${scripts.size} files`,
      reached: kilobytes(bytes),
      goal: "≤ 90 KB",
    },
    { row: "17", work: "HTML of a list of 25, gzip", reached: kilobytes(gzipSync(html).length), goal: "≤ 6 KB" },
  ];
}

async function namesOn(call: Call): Promise<string> {
  return [...new Set((await send(call)).match(/campaigns\/([\da-f-]{36})(?=")/g))].slice(0, 25).join();
}

async function idsIn(call: Call): Promise<string> {
  const body: unknown = JSON.parse(await send(call));
  const list = listSchema.safeParse(body);
  return list.success ? list.data.campaigns.map(({ id }) => id).join() : JSON.stringify(body);
}

function same(ours: string, theirs: string): void {
  if (ours !== theirs || ours === "") throw new Error(`the two sides differ:\n${ours}\n${theirs}`);
}
