import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Each test file keeps its files in a folder of its own, gone afterwards. */
const dataDir = mkdtempSync(join(tmpdir(), "endcap-test-data-"));
process.env.DATA_DIR = dataDir;
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
