import { StartupError } from "#app/startup-error.ts";
import { buildIfStale } from "./build-if-stale.ts";

/** Runs the build of `npm start` (start.js). */
try {
  await buildIfStale();
} catch (error) {
  console.error(error instanceof StartupError ? error.message : error);
  process.exit(1);
}
