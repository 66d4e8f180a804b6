import { eq, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { creatives } from "#db/schema/index.ts";
import { preparedQuery } from "../prepared-query.server.ts";

const preparedFor = preparedQuery(prepare);

function prepare(db: Database) {
  return db
    .select({
      id: creatives.id,
      path: creatives.path,
      type: creatives.type,
      bytes: creatives.bytes,
      previewBytes: creatives.previewBytes,
      sha256: creatives.sha256,
    })
    .from(creatives)
    .where(eq(creatives.fileKey, sql.placeholder("fileKey")))
    .prepare("find_creative_file");
}

/** Returns the file to serve for a creative's key; undefined when there is none. */
export async function findCreativeFile({ db }: { db: Database }, { fileKey }: { fileKey: string }) {
  const [row] = await preparedFor(db).execute({ fileKey });
  return row;
}
