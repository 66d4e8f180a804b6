import { and, asc, eq, getTableName, gt, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { z } from "zod";
import { DecryptionError, decryptBytes, encryptBytes, newestSealPrefix } from "#app/encryption.server.ts";
import {
  audienceBlocks,
  audienceConnections,
  channelConnections,
  paymentMethods,
  productStores,
  webhooks,
} from "#db/schema/index.ts";
import { addressesContext } from "../audiences/members/block-addresses.server.ts";
import { reencryptAudienceObjects } from "../audiences/reencrypt-audience-objects.server.ts";
import type { Ctx, OperatorActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";

export type Reencryption = { reencrypted: number; unreadable: number };

/** Every column that contains an encrypted credential. The encryption context is always table, owner and ID. */
const credentialColumns: { table: PgTable; id: PgColumn; owner: PgColumn; credential: PgColumn }[] = [
  credentialColumn(audienceConnections, audienceConnections.publisherId, audienceConnections.credential),
  credentialColumn(channelConnections, channelConnections.channel, channelConnections.credential),
  credentialColumn(paymentMethods, paymentMethods.accountId, paymentMethods.token),
  credentialColumn(productStores, productStores.accountId, productStores.credential),
  credentialColumn(webhooks, webhooks.accountId, webhooks.secret),
  credentialColumn(webhooks, webhooks.accountId, webhooks.previousSecret),
];

function credentialColumn(table: PgTable & { id: PgColumn }, owner: PgColumn, credential: PgColumn) {
  return { table, id: table.id, owner, credential };
}

const pageSize = 200;
const rowsSchema = z.array(z.object({ id: z.string(), owner: z.string(), credential: z.instanceof(Buffer) }));

/**
 * Re-encrypts with the newest key everything that an earlier key encrypted, so that the earlier key can be removed:
 * stored credentials, people in objects and the addresses of people. What no key of this server can decrypt is left
 * unchanged and counted.
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
  const { reencrypted, unreadable } = await reencryptAudienceObjects(ctx);
  return await reencryptAddresses(ctx, {
    reencrypted: total.reencrypted + reencrypted,
    unreadable: total.unreadable + unreadable,
  });
}

/** Does the same for the addresses of people in audiences, which are encrypted by block. */
async function reencryptAddresses(ctx: Ctx<OperatorActor>, before: Reencryption): Promise<Reencryption> {
  const total = { ...before };
  const { audienceId, generation, firstHash, addresses } = audienceBlocks;
  const newest = newestSealPrefix();
  const place = sql`(${audienceId}, ${generation}, ${firstHash})`;
  let after: { audienceId: AudienceId; generation: number; firstHash: Buffer } | undefined;
  for (;;) {
    const rows = await ctx.db
      .select({ audienceId, generation, firstHash, addresses })
      .from(audienceBlocks)
      .where(
        and(
          sql`substring(${addresses} from 1 for ${newest.length}::int) <> ${newest}`,
          after && sql`${place} > (${after.audienceId}::uuid, ${after.generation}::int, ${after.firstHash}::bytea)`,
        ),
      )
      .orderBy(audienceId, generation, firstHash)
      .limit(pageSize);
    for (const row of rows) {
      const reencrypted = row.addresses && reencrypt(row.addresses, addressesContext(row));
      const isSame = [eq(audienceId, row.audienceId), eq(generation, row.generation), eq(firstHash, row.firstHash)];
      // A block that was changed meanwhile already uses the newest key.
      if (reencrypted)
        await ctx.db
          .update(audienceBlocks)
          .set({ addresses: reencrypted })
          .where(and(...isSame, sql`${addresses} = ${row.addresses}`));
      total[reencrypted ? "reencrypted" : "unreadable"] += 1;
    }
    after = rows.at(-1);
    if (rows.length < pageSize) return total;
  }
}

function reencrypt(credential: Buffer, context: string): Buffer | undefined {
  try {
    return encryptBytes(decryptBytes(credential, context), context);
  } catch (error) {
    if (error instanceof DecryptionError) return undefined;
    throw error;
  }
}
