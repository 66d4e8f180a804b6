import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { compileFunction } from "node:vm";
import type postgresDriver from "postgres";
import type { Options, PostgresType, Sql } from "postgres";
import { connectionTarget } from "./connection-target.server.ts";
import { patchedSource } from "./driver-patch.ts";

/**
 * postgres.js with our patches (db/driver-patch.ts). Its files are patched in memory while they are loaded, so that
 * node_modules may be read-only and other users of the package are not affected. All code imports the driver from this
 * module; only types come from the package itself.
 */
export const postgres = loadDriver();

/** Opens a pool for a database URL, whose `sslmode` has libpq's meaning. Connections are made on first use. */
export function connect(databaseUrl: string, options: Options<Record<string, PostgresType>>): Sql {
  const { url, tls } = connectionTarget(databaseUrl);
  return postgres(url, { ...options, ssl: tls });
}

function loadDriver(): typeof postgresDriver {
  const loaded = load(createRequire(import.meta.url).resolve("postgres"), new Map());
  if (!isDriver(loaded)) throw new Error("postgres exports no function");
  return loaded;
}

function isDriver(loaded: unknown): loaded is typeof postgresDriver {
  return typeof loaded === "function";
}

/**
 * Loads a CommonJS file, and the files that it requires by relative path, as Node does; `modules` are already loaded.
 */
function load(path: string, modules: Map<string, { exports: unknown }>): unknown {
  const known = modules.get(path);
  if (known) return known.exports;
  const module = { exports: {} };
  modules.set(path, module);
  const require = createRequire(path);
  const source = patchedSource(path, readFileSync(path, "utf8"));
  const run = compileFunction(source, ["module", "exports", "require"], { filename: path });
  run(module, module.exports, (id: string) => (id.startsWith(".") ? load(require.resolve(id), modules) : require(id)));
  return module.exports;
}
