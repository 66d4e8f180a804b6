import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedDatabase } from "#db/embedded.server.ts";
import { prepareThreads } from "./build-thread-modules.ts";
import { createTemplateDatabase, disableDurability } from "./database/database-copies.ts";
import { makeFastFolder } from "./fast-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The test cluster's URL. Its database `template` is migrated, and every test file gets a copy. */
    clusterUrl: string;
    /** The folder with the worker threads' built modules, for the run alone. */
    threads: string;
    /** The folder in which each test process creates its data folder. */
    dataDirs: string;
    /** When the run began, as of ISO 8601: the moment of a demo that a server with the usual clock shows. */
    startedAt: string;
  }
}

/** Starts one PostgreSQL for the whole run, in its own folder, and prepares the worker threads' modules once. */
export default async function startTestCluster(project: TestProject) {
  const dataDir = makeFastFolder("endcap-test-");
  const dataDirs = mkdtempSync(join(tmpdir(), "endcap-test-data-"));
  const cluster = await startEmbeddedDatabase({ dataDir });
  await disableDurability(cluster.url);
  await createTemplateDatabase(cluster.url);
  project.provide("clusterUrl", cluster.url);
  project.provide("dataDirs", dataDirs);
  project.provide("startedAt", new Date().toISOString());
  const threads = await prepareThreads();
  project.provide("threads", join(threads, "threads"));

  return async () => {
    await cluster.stop();
    rmSync(threads, { recursive: true, force: true });
    for (const folder of [dataDir, dataDirs]) rmSync(folder, { recursive: true, force: true });
  };
}
