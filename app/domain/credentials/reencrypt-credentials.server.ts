import { and, asc, getTableName, gt, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { newestSealPrefix, SealError, seal, unseal } from "#app/sealed.server.ts";
import { audienceConnections, channelConnections, paymentMethods, productStores, webhooks } from "#db/schema/index.ts";
import type { Ctx, OperatorActor } from "../context.ts";

export type Reencryption = { reencrypted: number; unreadable: number };

/** Every column that holds an encrypted credential. Its place is always table, owner and id. */
const holders: { table: PgTable; id: PgColumn; owner: PgColumn; credential: PgColumn }[] = [
  holder(audienceConnections, audienceConnections.publisherId, audienceConnections.credential),
  holder(channelConnections, channelConnections.channel, channelConnections.credential),
  holder(paymentMethods, paymentMethods.accountId, paymentMethods.token),
  holder(productStores, productStores.accountId, productStores.credential),
  holder(webhooks, webhooks.accountId, webhooks.secret),
];

function holder(table: PgTable & { id: PgColumn }, owner: PgColumn, credential: PgColumn) {
  return { table, id: table.id, owner, credential };
}

const pageSize = 200;
const rowsSchema = z.array(z.object({ id: z.string(), owner: z.string(), credential: z.instanceof(Buffer) }));

/**
 * Encrypts with the newest key every stored credential that an earlier one encrypted, so that the earlier one can be dropped.
 * A credential that no key of this server opens stays as it is and is counted.
 */
export async function reencryptCredentials(ctx: Ctx<OperatorActor>): Promise<Reencryption> {
  const total = { reencrypted: 0, unreadable: 0 };
  const newest = newestSealPrefix();
  for (const { table, id, owner, credential } of holders) {
    const isOlder = sql`substring(${credential} from 1 for ${newest.length}::int) <> ${newest}`;
    let after: string | undefined;
    do {
      const found = await ctx.db
        .select({ id, owner, credential })
        .from(table)
        .where(and(isOlder, after === undefined ? undefined : gt(id, after)))
        .orderBy(asc(id))
        .limit(pageSize);
      const rows = rowsSchema.parse(found);
      for (const row of rows) {
        const again = encryptAgain(row.credential, `${getTableName(table)}/${row.owner}/${row.id}`);
        // One that its owner replaced meanwhile is encrypted with the newest key already.
        const isSame = sql`${id} = ${row.id} and ${credential} = ${row.credential}`;
        const column = sql.identifier(credential.name);
        if (again) await ctx.db.execute(sql`update ${table} set ${column} = ${again} where ${isSame}`);
        total[again ? "reencrypted" : "unreadable"] += 1;
      }
      after = rows.length < pageSize ? undefined : rows.at(-1)?.id;
    } while (after !== undefined);
  }
  return total;
}

function encryptAgain(credential: Buffer, place: string): Buffer | undefined {
  try {
    return seal(unseal(credential, place), place);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
