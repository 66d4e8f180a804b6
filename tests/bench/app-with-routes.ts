import { createServer } from "node:http";
import type { ServerBuild } from "@remix-run/server-runtime";
import { preloadRenderer } from "#server/disable-proto.ts";

/** The product on an existing database, with COUNT of its routes: `node … DATABASE_URL PORT COUNT`. */
const [url = "", port = "0", count = "0"] = process.argv.slice(2);
Object.assign(process.env, {
  NODE_ENV: "production",
  PORT: port,
  DATABASE_URL: url,
  SESSION_SECRET: "only for the bench ".repeat(3),
  RATE_LIMITS: "off",
  LOG_LEVEL: "warn",
});
await preloadRenderer();
const { openDatabase } = await import("#db/client.server.ts");
const { env } = await import("#app/env.server.ts");
const { loadBuild } = await import("#server/load-build.ts");
const { openReadiness } = await import("#server/health/readiness.ts");
const { createApp } = await import("#server/http/app.ts");

openDatabase({ url });
const app = createApp({
  env: env(),
  build: onlyRoutes(await loadBuild(), Number(count)),
  readiness: openReadiness({}),
});
createServer(app).listen(Number(port), "127.0.0.1", () => console.info("ready"));

/** The first routes of the table that a list of campaigns needs, and as many more. */
function onlyRoutes(build: ServerBuild, maxRoutes: number): ServerBuild {
  const needed = ["root", "advertiser", "advertiser/campaigns"];
  const others = Object.keys(build.routes).filter((id) => !needed.includes(id) && !/\/test-mode|^publisher/.test(id));
  const ids = [...needed, ...others].slice(0, maxRoutes);
  const only = <T>(routes: Record<string, T>) =>
    Object.fromEntries(Object.entries(routes).filter(([id]) => maxRoutes === 0 || ids.includes(id)));
  return { ...build, routes: only(build.routes), assets: { ...build.assets, routes: only(build.assets.routes) } };
}
