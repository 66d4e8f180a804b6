import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const root = resolve(import.meta.dirname, "../..");
/** The files that `npm run check` reads besides the code. */
const settings = ["biome.json", "checks", ".dependency-cruiser.cjs", "tsconfig.json", "package.json"];

type Files = Record<string, string>;

const lintReport = z.object({
  diagnostics: z.array(
    z.object({
      category: z.string(),
      message: z.string(),
      location: z.object({ path: z.string(), start: z.object({ line: z.number() }) }),
    }),
  ),
});

/** Lints a project of these files with the rules in checks/. Returns `path:line message` for each finding. */
export function lintFindings(files: Files): Promise<string[]> {
  return inExampleProject(files, async (folder) => {
    const args = ["node_modules/@biomejs/biome/bin/biome", "lint", "--vcs-enabled=false", "--reporter=json"];
    const { diagnostics } = lintReport.parse(JSON.parse(await outputOf(args, folder)));
    const own = diagnostics.filter(({ category }) => category === "plugin");
    return own.map(({ location, message }) => `${location.path}:${location.start.line} ${message}`).sort();
  });
}

const importReport = z.object({
  summary: z.object({ violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })) }),
});

/** Checks the imports of a project of these files with this project's rules. Returns `path rule` for each finding. */
export function importFindings(files: Files): Promise<string[]> {
  return inExampleProject(files, async (folder) => {
    const command = [
      "node_modules/dependency-cruiser/bin/dependency-cruise.mjs",
      "--config",
      ".dependency-cruiser.cjs",
    ];
    const { summary } = importReport.parse(
      JSON.parse(await outputOf([...command, "--output-type", "json", "app"], folder)),
    );
    return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`).sort();
  });
}

/**
 * Type-checks a project of these files with one of the compilers. Returns `path:line error` for each finding in `app`.
 */
export function typeFindings(files: Files, compiler: "typescript" | "typescript-native"): Promise<string[]> {
  return inExampleProject(files, async (folder) => {
    const output = await outputOf(
      [`node_modules/${compiler}/bin/tsc`, "--incremental", "false", "--types", "null"],
      folder,
    );
    return [...output.matchAll(/^(app\/.+)\((\d+),\d+\): error (TS\d+)/gm)]
      .map(([, path, line, error]) => `${path}:${line} ${error}`)
      .sort();
  });
}

async function inExampleProject<T>(files: Files, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "endcap-checks-"));
  try {
    for (const name of settings) cpSync(join(root, name), join(folder, name), { recursive: true });
    for (const [path, code] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), code);
    }
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns what a program of node_modules prints; a check that fails, as the examples do, exits with 1. */
async function outputOf([program = "", ...args]: string[], folder: string): Promise<string> {
  const run = promisify(execFile)(process.execPath, [join(root, program), ...args], { cwd: folder });
  const { stdout } = await run.catch((error: unknown) => z.object({ stdout: z.string() }).parse(error));
  return stdout;
}
