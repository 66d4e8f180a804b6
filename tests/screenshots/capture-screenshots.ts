import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Cookie, Page } from "@playwright/test";
import { socialCard } from "#app/screens/public/public-page-meta.ts";
import {
  type Scheme,
  type ScreenshotName,
  type ScreenshotShape,
  screenshotShapes,
  screenshots,
  screenshotUrl,
} from "#app/screens/public/screenshots/screenshots.ts";
import { launchChromium } from "#tests/support/browser/launch-chromium.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";

/**
 * The moment at which the server that is photographed seeds its demo data. The clock runs on from there, far from the
 * end of an hour, so that every date and every "5 hours ago" is the same each time.
 */
const clockAt = "2026-11-18T15:05:00Z";

type Shot = {
  email: string;
  path: string;
  /** What must be on the screen before it is photographed. */
  heading: string;
  /** The wide image begins at this element, without the sidebar and the top bar. */
  from?: string;
};

const shots: Record<ScreenshotName, Shot> = {
  dashboard: { email: "advertiser@example.com", path: "/advertiser/dashboard", heading: "Dashboard" },
  analytics: {
    email: "advertiser@example.com",
    path: "/advertiser/analytics",
    heading: "Analytics",
    from: "main .tiles",
  },
  approval: {
    email: "publisher@example.com",
    path: "/publisher/approval",
    heading: "Campaign Approval",
    from: "main h1",
  },
};

/** The window of each shape and its pixels per CSS pixel. */
const windows: Record<ScreenshotShape, { width: number; scale: number }> = {
  wide: { width: 1280, scale: 1.5 },
  phone: { width: 390, scale: 2 },
};
/** A part of a screen is photographed in a narrower window, because it is shown in half of the page's width. */
const partWindow = 1180;
/** What is left around a part, in CSS pixels. */
const partMargin = 24;

/** The images of README.md: whole windows in light. */
export const readmeImages = {
  campaigns: { path: "/advertiser/campaigns", heading: "Campaigns" },
  dashboard: { path: "/advertiser/dashboard", heading: "Dashboard" },
} as const;
export const readmeImageSize = { width: 1280, height: 900 } as const;

export function readmeImageFile(name: string): string {
  return `docs/screenshots/${name}.png`;
}

/** `file` is the image's path in the project. */
export type Screenshot = { file: string; png: Buffer };

/**
 * Starts the product with fresh demo data at a fixed time and takes every screenshot of the public pages and of
 * README.md.
 */
export async function captureScreenshots(): Promise<Screenshot[]> {
  const clock = new URL("../security/money/shifted-clock.mjs", import.meta.url);
  const server = await startAppServer({
    environment: {
      CLOCK_AT: clockAt,
      NODE_OPTIONS: `--import ${pathToFileURL(clock.pathname).href}`,
      DEMO_DATA: "on",
      RATE_LIMITS: "off",
      LOG_LEVEL: "warn",
    },
  });
  const browser = await launchChromium();
  try {
    const taken: Screenshot[] = [];
    const waiting = await browser.newContext({ baseURL: server.origin });
    await signIn(waiting, shots.dashboard.email);
    await waitForReports(await waiting.newPage());
    await waiting.close();
    const cookies = new Map<string, Cookie[]>();
    for (const [name, shot] of entriesOf(shots)) {
      for (const shape of screenshotShapes) {
        for (const scheme of ["light", "dark"] as const) {
          const context = await openContext(browser, { origin: server.origin, shot, shape, scheme });
          await context.addCookies(cookies.get(shot.email) ?? (await signIn(context, shot.email)));
          cookies.set(shot.email, await context.cookies());
          const png = await photograph(await context.newPage(), { name, shape });
          taken.push({ file: publicFile(screenshotUrl(name, shape, scheme)), png });
          await context.close();
        }
      }
    }
    const cookiesOfReadme = cookies.get(shots.dashboard.email) ?? [];
    for (const [name, { path, heading }] of Object.entries(readmeImages)) {
      const context = await browser.newContext({
        baseURL: server.origin,
        viewport: readmeImageSize,
        colorScheme: "light",
        reducedMotion: "reduce",
        timezoneId: "UTC",
        locale: "en-US",
      });
      await context.addCookies(cookiesOfReadme);
      const page = await context.newPage();
      await page.goto(path);
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
      await waitForScript(page);
      taken.push({ file: readmeImageFile(name), png: await page.screenshot() });
      await context.close();
    }
    const [dashboard] = taken;
    if (dashboard) taken.push(await captureSocialCard(browser, { origin: server.origin, dashboard: dashboard.png }));
    return taken;
  } finally {
    await browser.close();
    await server.stop();
  }
}

function openContext(
  browser: Browser,
  { origin, shot, shape, scheme }: { origin: string; shot: Shot; shape: ScreenshotShape; scheme: Scheme },
): Promise<BrowserContext> {
  const { width, scale } = windows[shape];
  return browser.newContext({
    baseURL: origin,
    viewport: { width: shot.from && shape === "wide" ? partWindow : width, height: 800 },
    deviceScaleFactor: scale,
    colorScheme: scheme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-US",
  });
}

/** Signs in as a demo account and returns the session's cookies. */
async function signIn(context: BrowserContext, email: string): Promise<Cookie[]> {
  const page = await context.newPage();
  await page.goto(`/${email.split("@")[0]}/login`);
  await page.getByRole("button", { name: "Continue with Google" }).click();
  await page.getByRole("button", { name: email }).first().click();
  await page.waitForURL("/");
  await page.close();
  return context.cookies();
}

async function photograph(page: Page, { name, shape }: { name: ScreenshotName; shape: ScreenshotShape }) {
  const { path, heading, from } = shots[name];
  const { scale } = windows[shape];
  const size = screenshots[name][shape];
  const [width, height] = [size.width / scale, size.height / scale];
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  await waitForScript(page);
  const start = from ? await page.locator(from).first().boundingBox() : null;
  const x = start && shape === "wide" ? start.x - partMargin : 0;
  const y = start ? start.y - (shape === "wide" ? partMargin : partMargin / 2) : 0;
  const window = page.viewportSize()?.width ?? 0;
  if (x + width > window) throw new Error(`${name} is ${window - x} wide, not ${width}`);
  await page.setViewportSize({ width: window, height: Math.ceil(y + height) });
  await page.waitForLoadState("networkidle");
  // The contexts ask for reduced motion. Disabled animations would also end those that follow a scroll: the fade of
  // links.
  return page.screenshot({ clip: { x, y, width, height } });
}

/** Waits until the page's script has named the search's keys as this system calls them, and for the font. */
async function waitForScript(page: Page): Promise<void> {
  await page.locator(".topbar kbd").filter({ hasText: "Ctrl K" }).waitFor({ state: "attached" });
  await page.evaluate(() => document.fonts.ready);
  await page.waitForLoadState("networkidle");
}

/** Composes the social card on one of the product's own pages, whose font and colors it has. */
async function captureSocialCard(
  browser: Browser,
  { origin, dashboard }: { origin: string; dashboard: Buffer },
): Promise<Screenshot> {
  const { width, height, path } = socialCard;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: "light", bypassCSP: true });
  const page = await context.newPage();
  // The page's own scripts would put its content back.
  await page.route("**/*.js", (route) => route.abort());
  await page.goto(`${origin}/terms`);
  await page.evaluate(
    (image) => {
      const brand = document.querySelector(".wordmark")?.outerHTML ?? "";
      document.body.innerHTML = `<div class="card-page">${brand}<h1>Advertise to people who already buy.</h1>
      <p>The ad network for the customers of niche online stores.</p><img src="${image}" alt=""></div>`;
    },
    `data:image/png;base64,${dashboard.toString("base64")}`,
  );
  await page.addStyleTag({
    content: `
      .card-page { position: fixed; inset: 0; overflow: hidden; padding: 56px 64px; background: var(--ground) }
      .card-page .wordmark { font-size: 32px; transform: scale(1.25); transform-origin: left }
      .card-page h1 { margin-top: 26px; font-size: 60px; line-height: 1.08; letter-spacing: -0.035em; white-space: nowrap }
      .card-page p { margin-top: 12px; font-size: 28px; line-height: 36px; color: var(--muted) }
      .card-page img { display: block; width: 1072px; margin-top: 36px; border: 1px solid var(--line-strong);
        border-radius: 14px; box-shadow: var(--shadow-high) }`,
  });
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const png = await page.screenshot();
  await context.close();
  return { file: publicFile(path), png };
}

/** Waits until the jobs have reported the day so far, so that it does not end at zero in the charts. */
async function waitForReports(page: Page): Promise<void> {
  for (let attempt = 0; attempt < 60; attempt += 1) {
    await page.goto("/advertiser/analytics?range=custom&from=2026-11-18&to=2026-11-18");
    const spend = await page.locator(".tile-value").first().textContent();
    if (spend !== "$0.00") return;
    await page.waitForTimeout(500);
  }
  throw new Error("No delivery was reported for the day of the screenshots");
}

/** Returns the file of a URL that is served from `public`. */
export function publicFile(url: string): string {
  return `public${url}`;
}

function entriesOf(some: typeof shots): [ScreenshotName, Shot][] {
  return (Object.keys(some) as ScreenshotName[]).map((name) => [name, some[name]]);
}
