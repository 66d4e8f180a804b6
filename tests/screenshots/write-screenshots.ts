import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { projectFile } from "#app/project-file.server.ts";
import { encodeScreenshot } from "./encode-screenshot.ts";
import { takeScreenshots } from "./take-screenshots.ts";

/** `npm run screenshots`: takes the screenshots of the landing and sign-in pages and the social card into `public/`. */
for (const screenshot of await takeScreenshots()) {
  const file = projectFile(`public${screenshot.url}`);
  mkdirSync(dirname(file), { recursive: true });
  const bytes = await encodeScreenshot(screenshot);
  writeFileSync(file, bytes);
  console.info(`${screenshot.url} ${Math.round(bytes.length / 1_000)} KB`);
}
