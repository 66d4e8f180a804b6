import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import { inject } from "vitest";
import { postgres } from "#db/driver.server.ts";
import * as schema from "#db/schema/index.ts";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { asAdmin, createDatabaseCopy, keptConnection, renameDatabase, serverUrl } from "./database-copies.ts";

/**
 * Creates a test's own database with the demo data of that moment, and returns its owner's URL. The creatives' files
 * are in this process's folder. A run inserts the demo data once for each moment: that takes seven processor seconds, a
 * copy a tenth of one.
 */
export async function createDemoCopy(moment: string): Promise<string> {
  const clusterUrl = inject("clusterUrl");
  const name = `demo_${moment.replace(/\W/g, "_")}`;
  const files = join(inject("dataDirs"), `${name}-files`);
  const findDemo = (sql: Sql) => sql`select from pg_database where datname = ${name}`;
  if ((await findDemo(keptConnection(clusterUrl))).length === 0) {
    await asAdmin(clusterUrl, async (sql) => {
      // Of several test files that begin at once, one inserts and the others wait.
      await sql`select pg_advisory_lock(hashtext(${name}))`;
      if ((await findDemo(sql)).length === 0) await createDemo({ clusterUrl, name, moment, files });
    });
  }
  cpSync(files, filesOfProcess(), { recursive: true });
  return createDatabaseCopy(clusterUrl, { template: name });
}

/** Has the final name once it is complete. */
async function createDemo({
  clusterUrl,
  name,
  moment,
  files,
}: Record<"clusterUrl" | "name" | "moment" | "files", string>) {
  const draftUrl = await createDatabaseCopy(clusterUrl);
  const sql = postgres(serverUrl(draftUrl), { max: 2, onnotice: () => undefined });
  try {
    // Two at once, as servers that start together do: tests/db/seed-demo.test.ts looks at what they leave.
    const seed = () => seedDemo({ db: drizzle(sql, { schema }), clock: () => new Date(moment) });
    await Promise.all([seed(), seed()]);
  } finally {
    await sql.end();
  }
  cpSync(filesOfProcess(), files, { recursive: true });
  await renameDatabase(draftUrl, name);
}

function filesOfProcess(): string {
  const folder = join(process.env.DATA_DIR ?? "", "files");
  mkdirSync(folder, { recursive: true });
  return folder;
}
