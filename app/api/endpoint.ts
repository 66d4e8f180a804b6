import type { Readable } from "node:stream";
import type { input, output, ZodType } from "zod";
import type { ErrorCode } from "#app/domain/errors.ts";
import type { LimitedKind } from "#app/domain/lock-creation.server.ts";
import type { RequestLimits } from "#app/web/request-limits.ts";
import type { ApiRequest, AuthContext, EndpointAccess } from "./auth.server.ts";

export const httpMethods = ["GET", "POST", "PATCH", "DELETE"] as const;
export type HttpMethod = (typeof httpMethods)[number];
export type PathParams = Record<string, string>;

/** One row of the endpoint table. Its key there is its method and path. */
export type Endpoint<Q extends ZodType = ZodType, B extends ZodType = ZodType, A extends ZodType = ZodType> = {
  summary: string;
  access: EndpointAccess;
  query?: Q;
  body?: B;
  response: A;
  status: 200 | 201 | 202;
  /** Whether an API key may call the endpoint. */
  allowsApiKeys: boolean;
  /** Whether the endpoint moves money. If so, `Idempotency-Key` is required. */
  movesMoney: boolean;
  /** Whether the body is a multipart form with files, which `run` reads as a stream. */
  acceptsFiles: boolean;
  /** The form that the files come in. */
  upload?: UploadForm;
  /** Whether the body may also be `text/csv`. */
  acceptsCsv: boolean;
  /** Whether the body may also be JSON Lines. */
  acceptsLines: boolean;
  /**
   * The errors of the endpoint's own rules, beyond those that every endpoint of its kind has (`endpoint-errors.ts`).
   */
  errors: readonly ErrorCode[];
  /** What the server admits beyond its defaults. */
  limits?: RequestLimits;
  /** The media types of the file in the response. */
  fileTypes?: readonly string[];
  perform: (apiRequest: ApiRequest, params: PathParams) => Promise<{ status: number; body: string | Readable }>;
};

/** A multipart form with files in the parts named `file`. */
export type UploadForm = {
  /** The fields beside the files. */
  fields: ZodType;
  /** The maximum number of files. */
  maxFiles: number;
};

/** What an endpoint is made from: its schemas and its work. */
export type EndpointDefinition<E extends AuthContext, Q extends ZodType, B extends ZodType, A extends ZodType> = {
  summary: string;
  query?: Q;
  body?: B;
  response: A;
  status?: 200 | 201 | 202;
  allowsApiKeys?: false;
  movesMoney?: true;
  upload?: UploadForm;
  errors?: readonly ErrorCode[];
  /**
   * The work continues after the response, so it cannot run inside the idempotency transaction; the domain function
   * gets the key.
   */
  continuesInBackground?: true;
  /** The response can be used only once, so a repetition gets one of its own. */
  responseIsSingleUse?: true;
  /** The maximum body size in bytes, if above the default. */
  maxBodyBytes?: number;
  /** What the server admits beyond its defaults; without it, a body of `maxBodyBytes`. */
  limits?: RequestLimits;
  /** The maximum number of list items that are parsed, if above the default. */
  maxItems?: number;
  /** Converts the values of a JSON Lines body to the input of `body`. */
  readLines?: (lines: unknown[]) => unknown;
  /** Converts a JSON array body to the input of `body`. */
  readList?: (items: unknown[]) => unknown;
  /** Converts a CSV body to the input of `body`. */
  readCsv?: (bytes: Uint8Array) => Promise<unknown>;
  /**
   * The deadline in milliseconds of the transaction of an idempotency key, if above the default: at least that of the
   * transactions that `run` starts, which run inside it.
   */
  deadlineMs?: number;
  /** What it creates, if an account has a limited number of it: requests of an account are executed one at a time. */
  creates?: LimitedKind;
  /** Response fields, at any depth, that a replayed response omits because they are secrets. */
  secretFields?: readonly string[];
} & (
  | { run: (call: EndpointCall<E, Q, B>) => Promise<input<A>> }
  /**
   * Sends requests to other servers, for which the transaction of an idempotency key must not wait, and returns what
   * runs inside it. A repetition with a key sends none.
   */
  | { prepare: (call: EndpointCall<E, Q, B>) => Promise<(ctx: E["ctx"]) => Promise<input<A>>> }
);

/** A request after authorization, with its parsed input. */
type EndpointCall<E extends AuthContext, Q extends ZodType, B extends ZodType> = E & {
  apiRequest: ApiRequest;
  params: PathParams;
  query: output<Q>;
  body: output<B>;
};
