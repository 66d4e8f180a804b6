import { and, eq, gt, lt, sql } from "drizzle-orm";
import type { Database } from "#db/client.server.ts";
import { accounts, mailSettings, sessions, users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { preparedQuery } from "../prepared-query.server.ts";
import { hashSecret, looksLikeSecret } from "./secrets.server.ts";
import { sessionIdleTimeoutMs, sessionTouchIntervalMs } from "./sign-in/session.ts";
import type { Viewer } from "./viewer.ts";

/**
 * Finds the user of a session; undefined when the session is unknown, revoked, unused for 12 hours or 7 days old. User
 * and account are read for every request, so that a suspension applies at once.
 */
export async function findViewer(ctx: VisitorCtx, { token }: { token: string }): Promise<Viewer | undefined> {
  if (!looksLikeSecret(token)) return undefined;
  const tokenHash = hashSecret(token);
  const now = ctx.clock();
  const idleSince = new Date(now.getTime() - sessionIdleTimeoutMs);
  // drizzle passes placeholders to the driver unchanged, so timestamps must be text.
  const instants = { now: now.toISOString(), idleSince: idleSince.toISOString() };
  const [row] = await preparedFor(ctx.db).execute({ tokenHash, ...instants });
  if (!row) return undefined;
  if (row.lastSeenAt.getTime() <= now.getTime() - sessionTouchIntervalMs) await touch(ctx, tokenHash, now);
  return toViewer(row);
}

type Row = Awaited<ReturnType<ReturnType<typeof prepare>["execute"]>>[number];

export function toViewer({
  id,
  email,
  name,
  picture,
  timeZone,
  account,
}: Pick<Row, "id" | "email" | "name" | "picture" | "timeZone" | "account">): Viewer {
  const person = { id, email, name, picture, timeZone: timeZone ?? "UTC" };
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

/** Most requests run this query, so its text is built once per pool. */
const preparedFor = preparedQuery(prepare);

function prepare(db: Database) {
  return db
    .select({
      lastSeenAt: sessions.lastSeenAt,
      id: users.id,
      email: users.email,
      name: users.name,
      picture: users.picture,
      timeZone: mailSettings.timeZone,
      account: { id: accounts.id, type: accounts.type, status: accounts.status, companyName: accounts.companyName },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(accounts, eq(accounts.id, users.accountId))
    .leftJoin(mailSettings, eq(mailSettings.userId, users.id))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder("tokenHash")),
        gt(sessions.expiresAt, sql.placeholder("now")),
        gt(sessions.lastSeenAt, sql.placeholder("idleSince")),
      ),
    )
    .prepare("find_viewer");
}

/** Writes at most once a minute per session, even with concurrent requests. */
async function touch(ctx: VisitorCtx, tokenHash: string, now: Date): Promise<void> {
  await ctx.db
    .update(sessions)
    .set({ lastSeenAt: now })
    .where(
      and(
        eq(sessions.tokenHash, tokenHash),
        lt(sessions.lastSeenAt, new Date(now.getTime() - sessionTouchIntervalMs + 1)),
      ),
    );
}
