import { gzipSync } from "node:zlib";
import type { BenchWorld } from "./bench-world.ts";
import { send } from "./load.ts";
import type { Row } from "./pairs.ts";

const loaded = /(?:rel="modulepreload" href=|from |import )"(\/assets\/[\w.-]+\.js)"/g;

/** Row 17: what a portal page makes a browser load, gzip. A script that the page only knows of is not counted. */
export async function weights(world: BenchWorld): Promise<Row[]> {
  const html = await send({
    url: `${world.server.origin}/advertiser/campaigns`,
    headers: { cookie: world.cookies.advertiser },
  });
  const scripts = new Set([...html.matchAll(loaded)].map(([, path]) => path ?? ""));
  let bytes = 0;
  for (const script of scripts) bytes += gzipSync(await send({ url: world.server.origin + script })).length;
  const kilobytes = (count: number) => `${(count / 1024).toFixed(1)} KB`;
  const work = `script on a portal page, gzip, ${scripts.size} files`;
  return [
    { row: "17", work, reached: kilobytes(bytes), goal: "≤ 100 KB, then 90 KB" },
    { row: "17", work: "HTML of a list of 25, gzip", reached: kilobytes(gzipSync(html).length), goal: "≤ 6 KB" },
  ];
}
