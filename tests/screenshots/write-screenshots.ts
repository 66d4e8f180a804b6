import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { projectFile } from "#app/project-file.server.ts";
import { captureScreenshots } from "./capture-screenshots.ts";
import { encodeScreenshot } from "./encode-screenshot.ts";

/**
 * `npm run screenshots`: takes the screenshots of the landing and sign-in pages, the social card, and the images of
 * README.md.
 */
for (const screenshot of await captureScreenshots()) {
  const file = projectFile(screenshot.file);
  mkdirSync(dirname(file), { recursive: true });
  const bytes = await encodeScreenshot(screenshot);
  writeFileSync(file, bytes);
  console.info(`${screenshot.file} ${Math.round(bytes.length / 1_000)} KB`);
}
