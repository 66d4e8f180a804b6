import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startAppServer } from "#tests/support/servers/app-server.ts";
import { type Row, secondsOf } from "./support/pairs.ts";

/** Row 18: from the command to the first page. The first start builds, makes its database and fills it. */
export async function starts(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "endcap-bench-"));
  rmSync(resolve(import.meta.dirname, "../../build/.fresh"), { force: true });
  const untilFirstPage = () =>
    secondsOf(async () => {
      const server = await startAppServer({ dataDir });
      await (await fetch(server.origin)).text();
      stop = server.stop;
    });
  let stop: () => Promise<unknown> = async () => undefined;
  const first = await untilFirstPage();
  await stop();
  const later = await untilFirstPage();
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
  return [
    {
      row: "18",
      work: "first start, with build, until the first page",
      reached: `${first.toFixed(1)} s`,
      goal: "≤ 60 s",
    },
    { row: "18", work: "a later start, until the first page", reached: `${later.toFixed(1)} s`, goal: "≤ 3 s" },
  ];
}
