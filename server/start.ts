import { existsSync } from "node:fs";
import { StartError } from "#app/start-error.ts";
import { loadRenderer } from "./safe-prototypes.ts";

/** What `npm start` runs once it is built (start.js), and with `--dev` `npm run dev`. What is imported later must find NODE_ENV set. */
const development = process.argv.includes("--dev");
// biome-ignore lint/plugin/one-reader-of-the-environment: React and Express read NODE_ENV when they are imported.
process.env.NODE_ENV ??= development ? "development" : "production";

try {
  if (existsSync(".env")) process.loadEnvFile(".env");
  await loadRenderer();
  const { serve } = await import("./serve.ts");
  await serve({ development });
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
