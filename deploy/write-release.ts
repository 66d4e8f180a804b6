import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { z } from "zod";
import { cycloneDx } from "#app/cyclonedx.ts";
import { projectFile } from "#app/project-file.server.ts";
import { StartupError } from "#app/startup-error.ts";
import { buildIfStale } from "#server/build-if-stale.ts";
import { buildStampPath, releaseStamp, root } from "#server/build-stamp.js";

/**
 * `npm run release -- DIR`: writes a folder that runs with Node alone: the build, the files that it reads, and of the
 * production packages only those that it loads (docs/decisions/0095). It has no sources, no build tools and no
 * embedded database, and needs DATABASE_URL.
 */

/** What the built modules read by name (`projectFile`), and what starts them. */
const files = [
  "app/documents/fonts",
  "app/domain/audiences/kernel/kernel.wasm",
  "build/client",
  "commands/run.js",
  "db/migrations",
  "db/seed/banners",
  "db/seed/products",
  "server/build-stamp.js",
  "server/init.sh",
  "server/start.js",
];

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), devOptional: z.boolean().optional() })),
});
const packageSchema = z.object({ libc: z.array(z.string()).optional() });
const hasGlibc = z
  .object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })
  .parse(process.report.getReport()).header.glibcVersionRuntime;
const binaryOfSharp = `node_modules/@img/sharp-${process.platform}-${process.arch}`;
const manifestSchema = z.looseObject({
  name: z.string(),
  version: z.string(),
  imports: z.record(z.string(), z.string()),
  engines: z.record(z.string(), z.string()),
  scripts: z.record(z.string(), z.string()),
});

const [folder, ...more] = process.argv.slice(2);
try {
  if (!folder || more.length > 0) throw new StartupError("Usage: npm run release -- DIR");
  await writeRelease(resolve(folder));
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  console.error(error.message);
  process.exit(1);
}

async function writeRelease(target: string): Promise<void> {
  if (existsSync(target) && readdirSync(target).length > 0) throw new StartupError(`${target} is not empty`);
  await buildIfStale();
  const lock: unknown = JSON.parse(readFileSync(projectFile("package-lock.json"), "utf8"));
  const { modules, packages } = await traceBuild(lock);
  for (const path of [...files, ...modules]) copy(path, target, isNeeded);
  for (const path of packages) copy(path, target, isNeededOfPackage);
  writeJson(join(target, "package.json"), releaseManifest());
  writeJson(join(target, "sbom.cdx.json"), cycloneDx(lock));
  writeFileSync(join(target, relative(root, buildStampPath)), releaseStamp);
  console.warn(`${target}: ${Math.ceil(bytesOf(target) / 1e6)} MB`);
}

/** The built modules, and the folders of the production packages that they load, traced through their imports. */
async function traceBuild(lock: unknown): Promise<{ modules: string[]; packages: Set<string> }> {
  const locked = lockSchema.parse(lock).packages;
  const folders = ["build/server", "build/server/commands", "build/server/threads"];
  const entries = folders.flatMap((path) =>
    readdirSync(join(root, path))
      .filter((name) => name.endsWith(".js"))
      .map((name) => join(root, path, name)),
  );
  // Without build tools, which some packages import only while something is built: parsing them takes longer than the
  // rest.
  const ignore = (path: string) => {
    const { dev = false, devOptional = false } = locked[packageOf(path) ?? ""] ?? {};
    return dev || devOptional;
  };
  const { fileList } = await nodeFileTrace(entries, { base: root, ignore });
  const packages = new Set<string>();
  for (const path of fileList) {
    const folder = packageOf(path);
    if (folder && locked[folder] && suitsThisMachine(folder)) packages.add(folder);
  }
  return { modules: [...fileList].filter((path) => path.startsWith("build/server/")), packages };
}

/** `node_modules/a/node_modules/@b/c/d.js` belongs to `node_modules/a/node_modules/@b/c`. */
function packageOf(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

/**
 * npm installs the binaries for both C libraries, and sharp's WebAssembly, which stands in where there is no binary: a
 * release is built on the kind of machine that runs it.
 */
function suitsThisMachine(folder: string): boolean {
  if (folder.endsWith("/@img/sharp-wasm32")) return !existsSync(join(root, binaryOfSharp));
  const { libc } = packageSchema.parse(JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")));
  return !libc || libc.includes(hasGlibc ? "glibc" : "musl");
}

function copy(path: string, target: string, filter: (source: string) => boolean): void {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  cpSync(join(root, path), join(target, path), { recursive: true, dereference: true, filter });
}

/** Snapshots of the schema serve only to write the next migration. */
function isNeeded(source: string): boolean {
  return !/\/db\/migrations\/meta\/\d+_snapshot\.json$/.test(source);
}

/**
 * A package is copied whole, because which of its files Node loads depends on the version of Node (`module-sync`),
 * without what nothing loads. Packages inside it are copied if they are traced themselves.
 */
function isNeededOfPackage(source: string): boolean {
  return !/(?:\/node_modules|\.(?:map|md|markdown|flow|[cm]?tsx?))$/.test(source);
}

/** The scripts of package.json that run without the sources. */
function releaseManifest() {
  const { name, version, imports, engines, scripts } = manifestSchema.parse(
    JSON.parse(readFileSync(projectFile("package.json"), "utf8")),
  );
  const runnable = Object.entries(scripts).filter(([, script]) =>
    files.some((path) => script.split(" ").includes(path)),
  );
  return { name, version, private: true, type: "module", engines, imports, scripts: Object.fromEntries(runnable) };
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}

function bytesOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0);
}
