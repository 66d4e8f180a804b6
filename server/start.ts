import { existsSync } from "node:fs";
import { StartError } from "#app/start-error.ts";
import { loadRenderer } from "./safe-prototypes.ts";

/** The server, as its supervisor starts it (start.js), and with `--dev` as `npm run dev`. What is imported later must find NODE_ENV set. */
const development = process.argv.includes("--dev");
// biome-ignore lint/plugin/one-reader-of-the-environment: React and Express read NODE_ENV when they are imported.
process.env.NODE_ENV ??= development ? "development" : "production";

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { isSupervised, joinSupervisor } = await import("./supervisor-link.ts");
  // Started while the rest is loaded.
  const embeddedUrl = isSupervised() ? joinSupervisor({ ownDatabase: (env) => !env.databaseUrl }) : undefined;
  await loadRenderer();
  const { serve } = await import("./serve.ts");
  await serve({ development, embeddedUrl });
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
