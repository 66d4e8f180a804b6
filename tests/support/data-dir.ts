import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/**
 * Each test process keeps its files in a folder of its own, which goes when the run ends. It is empty when a test file
 * begins; its path stays, because the environment is read once in a process.
 */
const dataDir = process.env.DATA_DIR ?? mkdtempSync(join(inject("dataDirs"), "process-"));
process.env.DATA_DIR = dataDir;
for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
