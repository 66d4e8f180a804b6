import { execFile, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { indexedPaths } from "#app/screens/public/public-page-meta.ts";
import { requireChromium } from "#tests/support/browser/chromium.ts";
import { startAppServer } from "#tests/support/servers/app-server.ts";
import { signIn } from "#tests/support/servers/sign-in.ts";
import { median, type Row, rounds } from "./support/pairs.ts";

const audits = resolve(import.meta.dirname, "reference/lighthouse");

/** The pages of a portal whose performance has a goal: each shows the demo data. */
const portalPages = {
  advertiser: ["/advertiser/dashboard", "/advertiser/campaigns", "/advertiser/analytics"],
  publisher: ["/publisher/dashboard", "/publisher/campaigns", "/publisher/analytics"],
} as const;

const categories = ["performance", "accessibility", "best-practices", "seo"] as const;
const auditSchema = z.object({ scores: z.record(z.enum(categories), z.number()), weak: z.array(z.string()) });
type Audit = z.output<typeof auditSchema>;

/**
 * Row 22: Lighthouse on a phone, in the Chromium of the browser tests; the median of five audits of each page. Every
 * public page, then the main pages of both portals with the demo data.
 */
export async function* lighthouse(): AsyncGenerator<Row> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-lighthouse-"));
  cpSync(audits, folder, { recursive: true });
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
    stdio: "ignore",
  });
  const server = await startAppServer({ environment: { DEMO_DATA: "on", RATE_LIMITS: "off", LOG_LEVEL: "warn" } });
  try {
    const program = installed.status === 0 ? [join(folder, "audit.js"), requireChromium()] : undefined;
    for (const path of indexedPaths) {
      yield await measure({ program, url: server.origin + path, path, goal: "≥ 95 each", measured: categories });
    }
    for (const kind of ["advertiser", "publisher"] as const) {
      const cookie = await signIn(server, kind);
      for (const path of portalPages[kind]) {
        const url = server.origin + path;
        yield await measure({ program, url, cookie, path, goal: "≥ 90", measured: ["performance"] });
      }
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Page = {
  /** Undefined where the registry does not have Lighthouse. */
  program: readonly string[] | undefined;
  url: string;
  cookie?: string;
  path: string;
  goal: string;
  measured: readonly (typeof categories)[number][];
};

async function measure({ program, url, cookie, path, goal, measured }: Page): Promise<Row> {
  const row = { row: "22", work: `Lighthouse on a phone: ${path}`, goal };
  if (!program) return { ...row, reached: "not installed" };
  const results: Audit[] = [];
  for (let round = 0; round < rounds; round++) {
    results.push(await audit([...program, url, ...(cookie ? [cookie] : [])]));
  }
  const scores = measured.map((category) => Math.round(median(results.map((result) => result.scores[category]))));
  const weak = new Set(results.flatMap((result) => result.weak));
  console.info([`${path}: ${scores.join(" · ")}`, ...weak].join(", "));
  return { ...row, reached: scores.join(" · ") };
}

async function audit(program: readonly string[]): Promise<Audit> {
  const { stdout } = await promisify(execFile)(process.execPath, program);
  return auditSchema.parse(JSON.parse(stdout.trim().split("\n").at(-1) ?? ""));
}
