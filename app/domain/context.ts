import type { Database, ReadDatabase } from "#db/client.server.ts";
import type { Entrypoint } from "./audit/entrypoint.ts";
import type {
  AccountId,
  ApiKeyId,
  AudienceId,
  CreativeId,
  ErasureId,
  ImportId,
  MailId,
  UploadId,
  UserId,
} from "./ids.ts";

/**
 * The actor of a verb, with the account whose rows the verb may access. Every query of an account's rows filters by
 * this account.
 */
export type AdvertiserActor = { kind: "advertiser"; accountId: AccountId } & Principal;
export type PublisherActor = { kind: "publisher"; accountId: AccountId } & Principal;
export type TenantActor = AdvertiserActor | PublisherActor;
/** A signed-in user without an account (user type `pending`). */
export type UserActor = { kind: "user"; userId: UserId };
export type OperatorActor = { kind: "operator"; name: string };
export type JobActor = { kind: "job"; name: string };
export type Actor = TenantActor | UserActor | OperatorActor | JobActor;

/** The principal that acts for a tenant: a user, one of its API keys, or nobody (the test-mode portals). */
export type Principal = { userId?: UserId; apiKeyId?: ApiKeyId };

type Clock = () => Date;

/** Background work whose errors are reported, or whose failure is shown to a person with a generic message. */
type ReportedWork =
  | "bulk_action"
  | "charge_method"
  | "commit_import"
  | "delete_creative"
  | "delete_objects"
  | "erase_person"
  | "estimate_reach"
  | "fetch_store"
  | "finish_payment"
  | "make_document"
  | "make_mail"
  | "merge_deltas"
  | "merge_upload"
  | "move_audience"
  | "read_upload"
  | "reencrypt_objects"
  | "refresh_audience"
  | "refund_payment"
  | "stage_import"
  | "store_creatives"
  | "sweep_blocks"
  | "take_snapshot";

/** The facts reported with an error: ids only, never names, email addresses or hashes. */
export type ErrorFacts = {
  work: ReportedWork;
  /** The failed step: the work itself, its heartbeat, or recording its failure. */
  step?: "heartbeat" | "ending" | "cleanup";
  uploadId?: UploadId;
  importId?: ImportId;
  audienceId?: AudienceId;
  creativeId?: CreativeId;
  erasureId?: ErasureId;
  mailId?: MailId;
  count?: number;
};

/** The originator of the work, taken from the context. */
type ErrorContext = { requestId?: string; job?: string; accountId?: AccountId };

/** Writes one log line with the error's stack. Must not throw. */
export type Report = (error: unknown, facts: ErrorFacts & ErrorContext) => void;

/** The first parameter of every verb. `db` is the pool or a transaction on it. */
export type Ctx<A extends Actor = Actor> = {
  db: Database;
  actor: A;
  clock: Clock;
  entrypoint: Entrypoint;
  requestId?: string;
  /**
   * Aborted when the process of a job stops. A job of many steps then ends after the current one, and the next process
   * continues: one that still runs after twenty seconds is killed, and its server serves nobody meanwhile.
   */
  stopping?: AbortSignal | undefined;
  /** When the viewer last changed something: what it reads has to include that, wherever it is read from. */
  changedAt?: Date | undefined;
  /** Call `reportError` instead, which adds what the context knows. */
  report: Report;
};

/**
 * The context of functions that only read: `db` may be a replica's, and has no way to write, so that no verb accepts
 * it. `asOf` is the moment up to which that replica has every change; undefined for the primary, which has all of them.
 */
export type ReadCtx<A extends Actor = Actor> = Omit<Ctx<A>, "db"> & { db: ReadDatabase; asOf?: Date | undefined };

/** The context of verbs that run before the viewer is known: signing in and finding the viewer. */
export type VisitorCtx = Omit<Ctx, "actor">;

/** The part of a context that reporting an error needs. */
export type ReportCtx = Pick<VisitorCtx, "report" | "requestId"> & Partial<Pick<Ctx, "actor">>;
