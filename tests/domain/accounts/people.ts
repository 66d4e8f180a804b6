import type { AccountType } from "#app/domain/accounts/account.ts";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import type { Ctx, OperatorActor, UserActor, VisitorCtx } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { database } from "#db/client.server.ts";

/** Returns a clock that tests advance explicitly. */
export function createManualClock(start = "2026-11-03T10:00:00Z") {
  let now = new Date(start).getTime();
  return { now: () => new Date(now), pass: (milliseconds: number) => (now += milliseconds) };
}

export function visitor(clock: () => Date = () => new Date()): VisitorCtx {
  return { db: database(), clock, entrypoint: "screen", report: () => undefined };
}

export function asUser(userId: UserId, clock?: () => Date): Ctx<UserActor> {
  return { ...visitor(clock), actor: { kind: "user", userId } };
}

export function asOperator(): Ctx<OperatorActor> {
  return { ...visitor(), entrypoint: "command", actor: { kind: "operator", name: "test operator" } };
}

let made = 0;
/** Returns a new verified identity on each call. */
export function identity(changes: Partial<Parameters<typeof signInUser>[1]> = {}) {
  made += 1;
  return {
    subject: `subject-${made}`,
    email: `person${made}@example.org`,
    emailVerified: true,
    name: `Person ${made}`,
    picture: undefined,
    ...changes,
  };
}

export async function newUser(): Promise<UserId> {
  return (await signInUser(visitor(), identity())).userId;
}

export async function newMember(type: AccountType, approval: "auto" | "manual" = "auto") {
  const userId = await newUser();
  const registration = registrationSchema.parse({ user_type: type, company_name: `Company ${made}` });
  const { accountId } = await registerAccount(asUser(userId), { registration, approval });
  return { userId, accountId };
}
