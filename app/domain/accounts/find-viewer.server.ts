import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { accounts, sessions, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { preparedOnce } from "../prepared.server.ts";
import { hashSecret, looksLikeSecret } from "./secrets.server.ts";
import { sessionIdle, sessionTouchInterval } from "./session.ts";
import type { Viewer } from "./viewer.ts";

/**
 * The person whose session this is; undefined when it is unknown, revoked, unused for 12 hours or 7 days old.
 * The user and the account are read anew each time, so that a suspension acts at once.
 */
export async function findViewer(ctx: VisitorCtx, { token }: { token: string }): Promise<Viewer | undefined> {
  if (!looksLikeSecret(token)) return undefined;
  const tokenHash = hashSecret(token);
  const now = ctx.clock();
  const idleSince = new Date(now.getTime() - sessionIdle);
  // Placeholders reach the driver as they are: an instant has to be text.
  const instants = { now: now.toISOString(), idleSince: idleSince.toISOString() };
  const [row] = await preparedFor(ctx.db).execute({ tokenHash, ...instants });
  if (!row) return undefined;
  if (row.lastSeenAt.getTime() <= now.getTime() - sessionTouchInterval) await touch(ctx, tokenHash, now);
  return viewerOf(row);
}

type Row = Awaited<ReturnType<ReturnType<typeof prepare>["execute"]>>[number];

export function viewerOf({
  id,
  email,
  name,
  picture,
  account,
}: Pick<Row, "id" | "email" | "name" | "picture" | "account">): Viewer {
  const person = { id, email, name, picture };
  return account
    ? {
        ...person,
        userType: account.type,
        status: account.status,
        companyName: account.companyName,
        accountId: account.id,
      }
    : { ...person, userType: "pending", status: "pending", companyName: null, accountId: null };
}

/** Most requests run this query: its text is made once for each pool. */
const preparedFor = preparedOnce(prepare);

function prepare(db: Database) {
  return db
    .select({
      lastSeenAt: sessions.lastSeenAt,
      id: users.id,
      email: users.email,
      name: users.name,
      picture: users.picture,
      account: { id: accounts.id, type: accounts.type, status: accounts.status, companyName: accounts.companyName },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.id, users.accountId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("tokenHash")),
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.lastSeenAt, sql.placeholder("idleSince")),
      ),
    )
    .prepare("find_viewer");
}

/** At most one write a minute and session, however many requests arrive at once. */
async function touch(ctx: VisitorCtx, tokenHash: string, now: Date): Promise<void> {
  await ctx.db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        lt(sessions.lastSeenAt, new Date(now.getTime() - sessionTouchInterval + 1)),
      ),
    );
}
