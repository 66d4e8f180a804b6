import { and, asc, getTableName, gt, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { DecryptionError, decrypt, encrypt, newestSealPrefix } from "#app/encryption.server.ts";
import { audienceConnections, channelConnections, paymentMethods, productStores, webhooks } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";

export type Reencryption = { reencrypted: number; unreadable: number };

/** Every column that contains an encrypted credential. The encryption context is always table, owner and ID. */
const credentialColumns: { table: PgTable; id: PgColumn; owner: PgColumn; credential: PgColumn }[] = [
  credentialColumn(audienceConnections, audienceConnections.publisherId, audienceConnections.credential),
  credentialColumn(channelConnections, channelConnections.channel, channelConnections.credential),
  credentialColumn(paymentMethods, paymentMethods.accountId, paymentMethods.token),
  credentialColumn(productStores, productStores.accountId, productStores.credential),
  credentialColumn(webhooks, webhooks.accountId, webhooks.secret),
];

function credentialColumn(table: PgTable & { id: PgColumn }, owner: PgColumn, credential: PgColumn) {
  return { table, id: table.id, owner, credential };
}

const pageSize = 200;
const rowsSchema = z.array(z.object({ id: z.string(), owner: z.string(), credential: z.instanceof(Buffer) }));

/**
 * Re-encrypts with the newest key every stored credential that an earlier key encrypted, so that the earlier key can be
 * removed. A credential that no key of this server can decrypt is left unchanged and counted.
 */
export async function reencryptCredentials(ctx: Ctx<OperatorActor>): Promise<Reencryption> {
  const total = { reencrypted: 0, unreadable: 0 };
  const newest = newestSealPrefix();
  for (const { table, id, owner, credential } of credentialColumns) {
    const isOlder = sql`substring(${credential} from 1 for ${newest.length}::int) <> ${newest}`;
    let after: string | undefined;
    do {
      const storedRows = await ctx.db
        .select({ id, owner, credential })
        .from(table)
        .where(and(isOlder, after === undefined ? undefined : gt(id, after)))
        .orderBy(asc(id))
        .limit(pageSize);
      const rows = rowsSchema.parse(storedRows);
      for (const row of rows) {
        const reencrypted = reencrypt(row.credential, `${getTableName(table)}/${row.owner}/${row.id}`);
        // A credential that its owner replaced meanwhile already uses the newest key.
        const isSame = sql`${id} = ${row.id} and ${credential} = ${row.credential}`;
        const column = sql.identifier(credential.name);
        if (reencrypted) await ctx.db.execute(sql`update ${table} set ${column} = ${reencrypted} where ${isSame}`);
        total[reencrypted ? "reencrypted" : "unreadable"] += 1;
      }
      after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
    } while (after !== undefined);
  }
  return total;
}

function reencrypt(credential: Buffer, context: string): Buffer | undefined {
  try {
    return encrypt(decrypt(credential, context), context);
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}
