import { StartError } from "#app/start-error.ts";
import { buildIfStale } from "./build.ts";

/** The build of `npm start` (start.js). */
try {
  await buildIfStale();
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
