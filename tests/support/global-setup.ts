import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { buildThreads } from "./build-threads.ts";
import { disableDurability, makeTemplate } from "./database-copies.ts";
import { makeFastFolder } from "./fast-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The test cluster; its database `template` is migrated, and every test file gets a copy. */
    clusterUrl: string;
    /** The folder of the threads that were built for the run. */
    threads: string;
    /** Where each test process makes the folder that it keeps its files in. */
    dataDirs: string;
  }
}

/** One PostgreSQL for the whole run, in a folder of its own, and its threads built once. */
export default async function startTestCluster(project: TestProject) {
  const dataDir = makeFastFolder("endcap-test-");
  const dataDirs = mkdtempSync(join(tmpdir(), "endcap-test-data-"));
  const cluster = await startEmbeddedDatabase({ dataDir });
  await disableDurability(cluster.url);
  await makeTemplate(cluster.url);
  project.provide("clusterUrl", cluster.url);
  project.provide("dataDirs", dataDirs);
  const threads = await buildThreads();
  project.provide("threads", threads);

  return async () => {
    await cluster.stop();
    rmSync(threads, { recursive: true, force: true });
    for (const folder of [dataDir, dataDirs]) rmSync(folder, { recursive: true, force: true });
  };
}
