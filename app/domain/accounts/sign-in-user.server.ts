import { users } from "#db/schema/index.ts";
import type { VisitorCtx } from "../context.ts";
import { DomainError } from "../errors.ts";
import { newId, type UserId } from "../ids.ts";
import { sqlState } from "../transaction.server.ts";

/** Who the identity provider says has signed in. `subject` is the key; the address may change and then follows. */
export type Identity = {
  subject: string;
  email: string;
  emailVerified: boolean;
  name: string | undefined;
  picture: string | undefined;
};

/** Finds the user of an identity, or makes one of type `pending`. Demands a verified address: `sign_in_failed`. */
export async function signInUser(ctx: VisitorCtx, identity: Identity): Promise<{ userId: UserId }> {
  const person = personOf(identity);
  // Two first sign-ins at once can meet in the unique address before they meet in the subject, whose row the second try finds.
  return (await upsert(ctx, identity.subject, person)) ?? (await upsert(ctx, identity.subject, person)) ?? fail();
}

/** Undefined when another user has this address: nobody takes over a user by an address that changed hands. */
async function upsert(
  ctx: VisitorCtx,
  subject: string,
  person: ReturnType<typeof personOf>,
): Promise<{ userId: UserId } | undefined> {
  try {
    const [user] = await ctx.db
      .insert(users)
      .values({ id: newId<UserId>(), googleSubject: subject, ...person, createdAt: ctx.clock() })
      .onConflictDoUpdate({ target: users.googleSubject, set: person })
      .returning({ userId: users.id });
    return user;
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

function personOf({ subject, email, emailVerified, name, picture }: Identity) {
  const address = email.normalize("NFC").trim();
  const readable = /^[^\s@]{1,64}@[^\s@]{1,255}$/.test(address) && !/[\p{Cc}\p{Surrogate}]/u.test(address + subject);
  if (!emailVerified || !readable || subject === "" || subject.length > 255) throw signInFailed();
  return { email: address, name: readableName(name) || address.replace(/@.*/, ""), picture: httpsOrNull(picture) };
}

function readableName(name = ""): string {
  const clean = name
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Surrogate}]/gu, " ")
    .trim();
  return [...clean].slice(0, 200).join("");
}

function httpsOrNull(picture: string | undefined): string | null {
  if (!picture || picture.length > 2_048 || !URL.canParse(picture)) return null;
  const url = new URL(picture);
  return url.protocol === "https:" ? url.href : null;
}
