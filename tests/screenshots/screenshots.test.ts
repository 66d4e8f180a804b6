import { readdirSync, readFileSync } from "node:fs";
import sharp from "sharp";
import { expect, test } from "vitest";
import { projectFile } from "#app/project-file.server.ts";
import { socialCard } from "#app/screens/public/public-page-meta.ts";
import {
  type ScreenshotName,
  screenshotShapes,
  screenshots,
  screenshotUrl,
} from "#app/screens/public/screenshots/screenshots.ts";
import { faultTimeoutMs, isFullFaultRun } from "#tests/support/fault-runs.ts";
import {
  captureScreenshots,
  publicFile,
  readmeImageFile,
  readmeImageSize,
  readmeImages,
} from "./capture-screenshots.ts";
import { countDifferentPixels } from "./compare-images.ts";
import { encodeScreenshot } from "./encode-screenshot.ts";

const names = Object.keys(screenshots) as ScreenshotName[];
const files = names.flatMap((name) =>
  screenshotShapes.flatMap((shape) =>
    (["light", "dark"] as const).map((scheme) => ({
      file: publicFile(screenshotUrl(name, shape, scheme)),
      size: screenshots[name][shape],
    })),
  ),
);

const readme = Object.keys(readmeImages).map((name) => ({ file: readmeImageFile(name), size: readmeImageSize }));

test.each([...files, { file: publicFile(socialCard.path), size: socialCard }, ...readme])(
  "$file has the size that pages reserve",
  async ({ file, size }) => {
    const { width, height } = await sharp(projectFile(file)).metadata();
    expect({ width, height }).toEqual({ width: size.width, height: size.height });
  },
);

test("every screenshot is on a page", () => {
  const stored = readdirSync(projectFile("public/screenshots")).map((name) => `public/screenshots/${name}`);
  expect(stored.sort()).toEqual(files.map(({ file }) => file).sort());
});

test("README.md shows every image that is taken for it, and no other", () => {
  const shown = [...readFileSync(projectFile("README.md"), "utf8").matchAll(/\]\((docs\/screenshots\/[^)]+)\)/g)];
  expect(shown.map(([, file]) => file).sort()).toEqual(readme.map(({ file }) => file).sort());
});

test("an image differs from one with another digit, and not from one in slightly other colors", async () => {
  const draw = (amount: string, ink = "#14171f") =>
    encodeScreenshot({
      file: "amount.webp",
      png: Buffer.from(`<svg width="200" height="60"><rect width="200" height="60" fill="#fff"/>
        <text x="10" y="40" font-size="20" font-family="sans-serif" fill="${ink}">${amount}</text></svg>`),
    });
  const image = await draw("$62,984");
  expect(await countDifferentPixels(image, await draw("$62,984", "#20242e"))).toBeLessThanOrEqual(mostDifferent);
  expect(await countDifferentPixels(image, await draw("$62,934"))).toBeGreaterThan(mostDifferent);
});

/** In a whole image. Both are compressed alike, so that compression makes no difference. */
const mostDifferent = 8;

/** In the full run only: a server with demo data at another time is started for it. */
test.runIf(isFullFaultRun)(
  "every screenshot shows what the product shows",
  async () => {
    const different: string[] = [];
    for (const screenshot of await captureScreenshots()) {
      const { file } = screenshot;
      const stored = readFileSync(projectFile(file));
      const count = await countDifferentPixels(await encodeScreenshot(screenshot), stored);
      if (count > mostDifferent) different.push(`${file}: ${count} pixels. Run npm run screenshots.`);
    }
    expect(different).toEqual([]);
  },
  faultTimeoutMs,
);
