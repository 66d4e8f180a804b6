import { existsSync } from "node:fs";
import { StartupError } from "#app/startup-error.ts";
import { preloadRenderer } from "./disable-proto.ts";

/**
 * The server, started by its supervisor (start.js), or with `--dev` by `npm run dev`. Later imports must find NODE_ENV
 * set.
 */
const development = process.argv.includes("--dev");
// biome-ignore lint/plugin/one-reader-of-the-environment: React and Express read NODE_ENV when they are imported.
process.env.NODE_ENV ??= development ? "development" : "production";

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { isSupervised, joinSupervisor } = await import("./supervisor/supervisor-link.ts");
  // Starts while the other modules load.
  const embeddedUrl = isSupervised() ? joinSupervisor({ ownDatabase: (env) => !env.databaseUrl }) : undefined;
  await preloadRenderer();
  const { serve } = await import("./serve.ts");
  await serve({ development, embeddedUrl });
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}
