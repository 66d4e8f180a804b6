/**
 * The screenshots of the product on the landing and sign-in pages, each at two widths and in both schemes. `npm run
 * screenshots` takes them into `public/screenshots`. Sizes are in pixels of the file.
 */
export const screenshots = {
  dashboard: { wide: { width: 1920, height: 1080 }, phone: { width: 780, height: 1000 } },
  analytics: { wide: { width: 1374, height: 1080 }, phone: { width: 780, height: 1000 } },
  approval: { wide: { width: 1374, height: 1080 }, phone: { width: 780, height: 1000 } },
} as const;
export type ScreenshotName = keyof typeof screenshots;

export const screenshotShapes = ["wide", "phone"] as const;
export type ScreenshotShape = (typeof screenshotShapes)[number];

export type Scheme = "light" | "dark";

/** Returns the URL of a screenshot's file. */
export function screenshotUrl(name: ScreenshotName, shape: ScreenshotShape, scheme: Scheme): string {
  return `/screenshots/${name}-${shape}-${scheme}.webp`;
}
