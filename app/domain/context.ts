import type { Database } from "#db/client.server.ts";
import type { Entrypoint } from "./audit/entrypoint.ts";
import type { AccountId, ApiKeyId, AudienceId, CreativeId, ImportId, MailId, UploadId, UserId } from "./ids.ts";

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

/** Work that goes on where nobody waits for its outcome, or whose failure is told to a person in words of our own. */
type ReportedWork =
  | "commit_import"
  | "delete_creative"
  | "estimate_reach"
  | "fetch_store"
  | "make_document"
  | "make_mail"
  | "merge_upload"
  | "read_upload"
  | "refresh_audience"
  | "stage_import"
  | "store_creatives";

/** All that may be said beside an error. Ids only: names, addresses and hashes have no place here. */
export type ErrorFacts = {
  work: ReportedWork;
  /** What was under way: the work itself, its heartbeat, or writing down that it failed. */
  step?: "heartbeat" | "ending" | "cleanup";
  uploadId?: UploadId;
  importId?: ImportId;
  audienceId?: AudienceId;
  creativeId?: CreativeId;
  mailId?: MailId;
  count?: number;
};

/** Who was at it, which the context knows. */
type ErrorContext = { requestId?: string; job?: string; accountId?: AccountId };

/** Leaves one line in the log, with the error's stack. Must not throw. */
export type Report = (error: unknown, facts: ErrorFacts & ErrorContext) => void;

/** What each verb gets first. `db` is the pool or a transaction on it. */
export type Ctx<A extends Actor = Actor> = {
  db: Database;
  actor: A;
  clock: Clock;
  door: Entrypoint;
  requestId?: string;
  /** Through `reportError`, which adds what the context knows. */
  report: Report;
};

/** What the verbs get that run before anybody is known: signing in, finding the viewer. */
export type VisitorCtx = Omit<Ctx, "actor">;

/** As much of a context as a trace of an error needs. */
export type ReportCtx = Pick<VisitorCtx, "report" | "requestId"> & Partial<Pick<Ctx, "actor">>;
