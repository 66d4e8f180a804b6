import type { Database } from "#db/client.server.ts";
import type { Entrypoint } from "./audit/entrypoint.ts";
import type { AccountId, ApiKeyId, UserId } from "./ids.ts";

/** Who acts. It carries the account whose rows a verb may touch; every query of an account's rows filters by it. */
export type AdvertiserActor = { kind: "advertiser"; accountId: AccountId } & Hand;
export type PublisherActor = { kind: "publisher"; accountId: AccountId } & Hand;
export type TenantActor = AdvertiserActor | PublisherActor;
/** Signed in, but without an account yet (user type `pending`). */
export type UserActor = { kind: "user"; userId: UserId };
export type OperatorActor = { kind: "operator"; name: string };
export type JobActor = { kind: "job"; name: string };
export type Actor = TenantActor | UserActor | OperatorActor | JobActor;

/** By whose hand a tenant acts: a person, one of its API keys, or nobody (the test-mode portals). */
export type Hand = { userId?: UserId; apiKeyId?: ApiKeyId };

type Clock = () => Date;

/** What each verb gets first. `db` is the pool or a transaction on it. */
export type Ctx<A extends Actor = Actor> = {
  db: Database;
  actor: A;
  clock: Clock;
  door: Entrypoint;
  requestId?: string;
};

/** What the verbs get that run before anybody is known: signing in, finding the viewer. */
export type VisitorCtx = Omit<Ctx, "actor">;
