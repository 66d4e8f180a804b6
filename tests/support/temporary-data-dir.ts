import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";

/**
 * Each test process has its own data folder, which is removed when the run ends. The folder is emptied before each test
 * file; its path stays, because a process reads the environment once.
 */
const dataDir = process.env.DATA_DIR ?? mkdtempSync(join(inject("dataDirs"), "process-"));
process.env.DATA_DIR = dataDir;
for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
