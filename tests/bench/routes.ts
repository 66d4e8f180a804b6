import type { BenchWorld } from "./support/bench-world.ts";
import { requestsPerSecond, send } from "./support/load.ts";
import { medianRatio, type Row } from "./support/pairs.ts";
import { startProgram } from "./support/programs.ts";

/** Row 11: the list of campaigns by the product with all its routes, and with 15 of them. */
export async function routes(world: BenchWorld): Promise<Row[]> {
  const [all, few] = [
    await startProgram("app-with-routes.ts", world.databaseUrl, "0"),
    await startProgram("app-with-routes.ts", world.databaseUrl, "15"),
  ];
  const headers = { cookie: world.cookies.advertiser };
  const call = (origin: string) => ({ url: `${origin}/advertiser/campaigns`, headers });
  const rowsOf = async (origin: string) => (await send(call(origin))).split("<tr>").length;
  if ((await rowsOf(all.origin)) !== (await rowsOf(few.origin))) throw new Error("the two sides differ");
  const ratio = await medianRatio({
    ours: () => requestsPerSecond(200, 8, () => call(all.origin)),
    theirs: () => requestsPerSecond(200, 8, () => call(few.origin)),
  });
  all.stop();
  few.stop();
  const lost = `${((1 - ratio) * 100).toFixed(1)} % lost`;
  return [
    { row: "11", work: "a page by the app with all its routes, against 15 of them", reached: lost, goal: "≤ 5 %" },
  ];
}
