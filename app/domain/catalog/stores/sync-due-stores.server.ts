import { and, asc, eq, isNotNull, lt, lte } from "drizzle-orm";
import { accounts, productImports, productStores } from "#db/schema/index.ts";
import type { Ctx, JobActor, TenantActor } from "../../context.ts";
import { DomainError } from "../../errors.ts";
import { silentSince } from "../../heartbeat.ts";
import { runAside } from "../../running-imports.server.ts";
import { fetchShop } from "./fetch-shop.server.ts";
import { syncStore } from "./sync-store.server.ts";

/** Begun in one run, so that one process does not hold them all. */
const atOnce = 4;

/** Begins the syncs that are due, and goes on with those whose process is gone. Answers how many of both. */
export async function syncDueStores(ctx: Ctx<JobActor>): Promise<number> {
  return (await resumeSyncs(ctx)) + (await beginSyncs(ctx));
}

async function resumeSyncs(ctx: Ctx<JobActor>): Promise<number> {
  const left = await ctx.db
    .select({ id: productImports.id, accountId: productImports.accountId, aliveAt: productImports.aliveAt })
    .from(productImports)
    .where(isLeft(ctx))
    .limit(atOnce);
  let resumed = 0;
  for (const { id, accountId } of left) {
    // Of several processes one gets it.
    const mine = await ctx.db
      .update(productImports)
      .set({ aliveAt: ctx.clock() })
      .where(and(eq(productImports.id, id), isLeft(ctx)))
      .returning({ id: productImports.id });
    if (mine.length === 0) continue;
    const asOwner = await actorOf(ctx, accountId);
    if (asOwner) void runAside(asOwner, { work: "fetch_store", importId: id }, () => fetchShop(asOwner, { id }));
    resumed += 1;
  }
  return resumed;
}

function isLeft(ctx: Ctx) {
  return and(
    eq(productImports.status, "running"),
    isNotNull(productImports.storeId),
    lt(productImports.aliveAt, silentSince(ctx.clock())),
  );
}

async function beginSyncs(ctx: Ctx<JobActor>): Promise<number> {
  const due = await ctx.db
    .select({ id: productStores.id, accountId: productStores.accountId })
    .from(productStores)
    .where(and(lte(productStores.nextSyncAt, ctx.clock()), isNotNull(productStores.credential)))
    .orderBy(asc(productStores.nextSyncAt))
    .limit(atOnce);
  let begun = 0;
  for (const { id, accountId } of due) {
    const asOwner = await actorOf(ctx, accountId);
    if (!asOwner) continue;
    try {
      await syncStore(asOwner, { id });
      begun += 1;
    } catch (error) {
      // Begun by another process, or still running: both are seen on the shop.
      if (!(error instanceof DomainError)) throw error;
    }
  }
  return begun;
}

/** The job in the shop's owner's name; nobody for an account that was suspended. */
async function actorOf(ctx: Ctx<JobActor>, accountId: TenantActor["accountId"]): Promise<Ctx<TenantActor> | undefined> {
  const [account] = await ctx.db
    .select({ kind: accounts.type })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), eq(accounts.status, "approved")));
  return account && { ...ctx, actor: { kind: account.kind, accountId } };
}
