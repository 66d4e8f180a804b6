import { and, eq, isNull, notLike } from "drizzle-orm";
import { isSameAddress } from "#app/domain/accounts/is-same-address.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { newId, type UserId } from "#app/domain/ids.ts";
import { sqlState } from "#app/domain/transaction.server.ts";
import { visibleText } from "#app/domain/visible-text.ts";
import { sessions, users } from "#db/schema/index.ts";

/**
 * The signed-in identity as its provider reports it. `subject` is the key; the email address may change and is updated.
 */
export type Identity = {
  subject: string;
  email: string;
  emailVerified: boolean;
  /** The operator made this provider the one for the domain of the address, so its subjects own their addresses. */
  ownsEmail?: boolean;
  name: string | undefined;
  picture: string | undefined;
};

/**
 * Finds the user of an identity or creates one of type `pending`. A person who signed in with another provider before
 * goes on as the same user only with the provider that owns the address. Throws `sign_in_failed` unless the email
 * address is verified.
 */
export async function signInUser(ctx: VisitorCtx, identity: Identity): Promise<{ userId: UserId }> {
  const person = toUserColumns(identity);
  // Two concurrent first sign-ins can conflict on the unique email address before the subject; the second try then
  // finds the row.
  return (
    (await upsert(ctx, identity.subject, person)) ??
    (await upsert(ctx, identity.subject, person)) ??
    (identity.ownsEmail ? await moveUser(ctx, identity.subject, person) : undefined) ??
    fail()
  );
}

/**
 * Returns undefined when another user has this email address: an address that changed owners must not give access to
 * its former user.
 */
async function upsert(
  ctx: VisitorCtx,
  subject: string,
  person: ReturnType<typeof toUserColumns>,
): Promise<{ userId: UserId } | undefined> {
  const rows = await unlessTaken(
    ctx.db
      .insert(users)
      .values({ id: newId<UserId>(), googleSubject: subject, ...person, createdAt: ctx.clock() })
      .onConflictDoUpdate({ target: users.googleSubject, set: person })
      .returning({ userId: users.id }),
  );
  return rows?.[0];
}

/**
 * Moves the user with this address from Google to a subject of the provider that owns it, and ends the sessions from
 * before. A user of such a provider is never moved: an address that it gave to someone else must not give access to its
 * former user. Returns undefined when there is none to move, or when the subject is another user already: two users are
 * not merged.
 */
async function moveUser(
  ctx: VisitorCtx,
  subject: string,
  person: ReturnType<typeof toUserColumns>,
): Promise<{ userId: UserId } | undefined> {
  const move = ctx.db.transaction(async (db) => {
    const [user] = await db
      .update(users)
      .set({ googleSubject: subject, ...person })
      .where(
        and(isSameAddress(users.email, person.email), isNull(users.erasedAt), notLike(users.googleSubject, "oidc:%")),
      )
      .returning({ userId: users.id, accountId: users.accountId });
    if (!user) return undefined;
    const { userId, accountId } = user;
    await db.delete(sessions).where(eq(sessions.userId, userId));
    await recordAudit(
      { ...ctx, db, actor: { kind: "user", userId } },
      { action: "user.identity_changed", entity: "user", entityId: userId, ...(accountId && { accountId }) },
    );
    return { userId };
  });
  return await unlessTaken(move);
}

/** Returns undefined when another user has the email address or the subject. */
async function unlessTaken<T>(change: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await change;
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
  }
}

function fail(): never {
  throw signInFailed();
}

export function signInFailed(): DomainError {
  return new DomainError("sign_in_failed", "Authentication failed");
}

function toUserColumns({ subject, email, emailVerified, name, picture }: Identity) {
  const address = email.normalize("NFC").trim();
  const isValid = /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address) && !/[\p{Cc}\p{Surrogate}]/u.test(address + subject);
  if (!emailVerified || !isValid || subject === "" || subject.length > 255) throw signInFailed();
  return { email: address, name: sanitizeName(name) || address.replace(/@.*/, ""), picture: httpsOrNull(picture) };
}

function sanitizeName(name = ""): string {
  const clean = visibleText(name.replace(/[\p{Cc}\p{Surrogate}]/gu, " ")).normalize("NFC");
  return [...clean].slice(0, 200).join("");
}

function httpsOrNull(picture: string | undefined): string | null {
  if (!picture || picture.length > 2_048 || !URL.canParse(picture)) return null;
  const url = new URL(picture);
  return url.protocol === "https:" ? url.href : null;
}
