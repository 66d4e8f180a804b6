import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { z } from "zod";
import { runCommand } from "#tests/commands/run-command.ts";
import { createDatabaseCopy, dropDatabaseCopy } from "#tests/support/database/database-copies.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { isFullFaultRun } from "#tests/support/fault-runs.ts";
import { type AppServer, startAppServer } from "#tests/support/servers/app-server.ts";
import { signIn } from "#tests/support/servers/sign-in.ts";

const project = resolve(import.meta.dirname, "../..");
const git = (...args: string[]) => execFileSync("git", args, { cwd: project, maxBuffer: 2 ** 30 });

/**
 * Two versions on one database, as during an upgrade: this one, and the one before its newest migration, built from the
 * repository's history with the packages of this one. Both have the owner's role for migrations and the server's for
 * the rest.
 */
describe.skipIf(!isFullFaultRun)("a server of the version before the newest migration (needs git's history)", () => {
  const environment = { RATE_LIMITS: "off", LOG_LEVEL: "warn", LOG_FORMAT: "json", DEMO_DATA: "on" };
  let databaseUrl: string;
  let folder: string;
  let dataDir: string;
  let former: AppServer;
  let current: AppServer;

  const startFormer = () => startAppServer({ databaseUrl, dataDir, environment, folder });

  beforeAll(async () => {
    // Both keep uploaded files in one folder, as several servers without a bucket do.
    dataDir = mkdtempSync(join(tmpdir(), "endcap-versions-"));
    // By TCP, since the former version may know no other way.
    databaseUrl = tcpUrl(await createDatabaseCopy(inject("clusterUrl"), { migrated: false }));
    const migration = git("log", "-1", "--format=%H", "--", "db/migrations/*.sql").toString().trim();
    folder = buildBefore(migration);
    former = await startFormer();
    // Migrates the database under the former one.
    current = await startAppServer({ databaseUrl, dataDir, environment });
  }, 600_000);
  afterAll(async () => {
    await Promise.all([former?.stop(), current?.stop()]);
    await dropDatabaseCopy(databaseUrl);
    for (const path of [folder, dataDir]) rmSync(path, { recursive: true, force: true });
  });

  test("goes on with what the newer one writes, and the newer one with what it writes", async () => {
    const versions = [former, current] as const;
    for (const [first, second] of [versions, versions.toReversed()]) {
      if (!first || !second) throw new Error("no servers");
      const name = `Launched at ${first.port}`;
      const advertiser = await clientOf(first, "advertiser");
      const { audiences } = z.object({ audiences: someWithId }).parse(await advertiser("GET", "/audiences?q=hikers"));
      const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const { campaign } = z.object({ campaign: withId }).parse(
        await advertiser("POST", "/campaigns", {
          name,
          objective: "traffic",
          ad_format: "display",
          selected_audiences: audiences.slice(0, 1).map(({ id }) => id),
          channel_type: "dsp",
          channels: ["dv360"],
          budget: 2000,
          daily_budget: 100,
          start_date: day(0),
          end_date: day(20),
        }),
      );
      const path = `/campaigns/${campaign.id}`;
      await advertiser("POST", `${path}/launch`);
      const publisher = await clientOf(second, "publisher");
      expect(JSON.stringify(await publisher("GET", "/campaigns/approval"))).toContain(name);
      await publisher("POST", `${path}/approve`, { action: "approve", version: 1 });
      const sameAdvertiser = await clientOf(second, "advertiser");
      await sameAdvertiser("PATCH", path, { name: `${name}, renamed` });
      await sameAdvertiser("POST", `${path}/pause`);
      await advertiser("POST", `${path}/play`);
      expect(JSON.stringify(await advertiser("GET", path))).toContain(`${name}, renamed`);
    }
  }, 120_000);

  test.each(["advertiser", "publisher"] as const)(
    "serves the pages of the %s, like the newer one",
    async (who) => {
      for (const server of [former, current]) {
        const { paths, failed } = await crawl(server, who);
        expect(failed).toEqual([]);
        expect(paths.size).toBeGreaterThan(100);
      }
    },
    600_000,
  );

  test("starts again on the newer database", async () => {
    await former.stop();
    former = await startFormer();
    expect((await fetch(`${former.origin}/readyz`)).status).toBe(200);
  }, 120_000);

  test("leaves the ledger balanced and the audit trail whole, and no version logs an error", async () => {
    expect(await runCommand(databaseUrl, "check-ledger")).not.toMatch(/^\d+: /);
    expect(await runCommand(databaseUrl, "verify-audit")).not.toMatch(/^\d+: /);
    for (const server of [former, current]) expect(server.output()).not.toMatch(/"level":"(?:error|fatal)"/);
  }, 60_000);
});

const withId = z.object({ id: z.string() });
const someWithId = z.array(withId).min(1);

/** Builds the newest commit before this one that can be built, in a new folder, with the packages of this version. */
function buildBefore(commit: string): string {
  for (const back of [1, 2, 3, 4, 5]) {
    const folder = mkdtempSync(join(tmpdir(), "endcap-former-"));
    execFileSync("tar", ["-x", "-C", folder], { input: git("archive", `${commit}~${back}`) });
    symlinkSync(join(project, "node_modules"), join(folder, "node_modules"));
    const build = spawnSync("npm", ["run", "build"], { cwd: folder, encoding: "utf8" });
    if (build.status === 0) return folder;
    console.warn(`${commit}~${back} cannot be built`);
    rmSync(folder, { recursive: true, force: true });
  }
  throw new Error("None of the five commits before the newest migration can be built");
}

/** Calls the API of one server as a person; fails unless it is done. */
async function clientOf(server: AppServer, who: "advertiser" | "publisher") {
  const cookie = await signIn(server, who);
  return async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${server.origin}/api${path}`, {
      method,
      headers: { cookie, origin: server.origin, ...(body && { "content-type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}

/** Opens the dashboard and what its pages link to, up to 300 of them; returns those that failed. */
async function crawl({ origin }: AppServer, who: "advertiser" | "publisher") {
  const headers = { cookie: await signIn({ origin }, who) };
  const paths = new Set([`/${who}/dashboard`]);
  const failed: string[] = [];
  for (const path of paths) {
    const response = await fetch(origin + path, { headers, redirect: "manual" });
    const html = await response.text();
    // The other portal is forbidden.
    if (response.status >= 400 && response.status !== 403) failed.push(`${response.status} ${path}`);
    for (const [, found = ""] of html.matchAll(/ href="(\/[^"#]*)/g)) {
      if (paths.size < 300 && !/^\/(?:assets|auth|dev)\//.test(found)) paths.add(found.replaceAll("&amp;", "&"));
    }
  }
  return { paths, failed };
}
