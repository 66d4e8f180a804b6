import type { Readable } from "node:stream";
import type { input, output, ZodType } from "zod";
import type { ErrorCode } from "#app/domain/errors.ts";
import { findStoredResponse, withIdempotencyKey } from "#app/domain/idempotency/with-idempotency-key.server.ts";
import type { RequestHead } from "#app/web/request-head.ts";
import type { RequestLimits } from "#app/web/request-limits.ts";
import {
  type ApiRequest,
  type AuthContext,
  allowAnyone,
  denyApiKeys,
  type EndpointAccess,
  requireAdvertiser,
  requireOperator,
  requirePublisher,
  requireTenant,
  requireUser,
} from "./auth.server.ts";
import { withoutNumberTexts } from "./json/json-numbers.ts";
import { parseJsonLines } from "./json-body.ts";
import {
  type CallBody,
  emptyBody,
  parseInput,
  parseJsonObject,
  parseQuery,
  readRequestBody,
  requireUncompressed,
} from "./parse-request.server.ts";
import { Problem } from "./problem.ts";

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
  /** The errors of the endpoint's own rules, beyond those that every endpoint of its kind has (`endpoint-errors.ts`). */
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

type EndpointDefinition<E extends AuthContext, Q extends ZodType, B extends ZodType, A extends ZodType> = {
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

type EndpointCall<E extends AuthContext, Q extends ZodType, B extends ZodType> = E & {
  apiRequest: ApiRequest;
  params: PathParams;
  query: output<Q>;
  body: output<B>;
};

export const publicEndpoint = endpointFor("visitor", allowAnyone);
export const userEndpoint = endpointFor("user", requireUser);
export const advertiserEndpoint = endpointFor("advertiser", requireAdvertiser);
export const publisherEndpoint = endpointFor("publisher", requirePublisher);
export const tenantEndpoint = endpointFor("tenant", requireTenant);
export const operatorEndpoint = endpointFor("operator", requireOperator);

/** Every endpoint runs in this order: authenticate, authorize, parse the input, run the handler. */
function endpointFor<E extends AuthContext>(caller: EndpointAccess, enter: (apiRequest: ApiRequest) => Promise<E>) {
  return function call<Q extends ZodType, B extends ZodType, A extends ZodType>(
    definition: EndpointDefinition<E, Q, B, A>,
  ): Endpoint<Q, B, A> {
    const {
      summary,
      query,
      body,
      response,
      status = 200,
      allowsApiKeys = true,
      movesMoney = false,
      upload,
      errors = [],
    } = definition;
    const acceptsFiles = upload !== undefined;
    async function readValue({ bytes, bodyFormat }: CallBody): Promise<unknown> {
      const { readLines, readCsv } = definition;
      if (bodyFormat === "lines" && readLines) return readLines(await parseJsonLines(bytes));
      if (bodyFormat === "csv" && readCsv) return readCsv(bytes);
      const value = await parseJsonObject(bytes, definition);
      return body ? withoutNumberTexts(body, value) : value;
    }
    async function perform(apiRequest: ApiRequest, params: PathParams) {
      if (!allowsApiKeys) await denyApiKeys(apiRequest);
      const entry = await enter(apiRequest);
      requireUncompressed(apiRequest.head);
      const key = parseIdempotencyKey(apiRequest.head, movesMoney);
      const { maxBodyBytes, readLines, readCsv, continuesInBackground, responseIsSingleUse, deadlineMs } = definition;
      const unread = acceptsFiles || apiRequest.head.method === "GET";
      const accepted = { bodyBytes: maxBodyBytes, lines: readLines !== undefined, csv: readCsv !== undefined };
      const requestBody = unread ? emptyBody : await readRequestBody(apiRequest.toRequest(), accepted);
      const endpointInput = {
        apiRequest,
        params,
        query: parseIf(query, query && parseQuery(apiRequest.head)),
        body: parseIf(body, body && (await readValue(requestBody))),
      };
      const prepareRun = async (): Promise<(ctx: E["ctx"]) => Promise<input<A>>> => {
        if ("prepare" in definition) return definition.prepare({ ...entry, ...endpointInput });
        return (ctx) => definition.run({ ...entry, ...endpointInput, ctx });
      };
      const respond = async (run: (ctx: E["ctx"]) => Promise<input<A>>, ctx: E["ctx"]) => {
        const result = await run(ctx);
        return { status, body: JSON.stringify(result), storedBody: replayedBody(result, definition.secretFields) };
      };
      // Endpoints with files handle their own idempotency keys, so that no transaction is open while files arrive.
      const isUnstored = acceptsFiles || continuesInBackground || responseIsSingleUse;
      if (!key || !entry.idempotencyScope || isUnstored) {
        return respond(await prepareRun(), entry.ctx);
      }
      const { pathname, search } = new URL(apiRequest.head.url);
      const requestFingerprint = `${apiRequest.head.method}\n${pathname}${search}\n`;
      const once = {
        caller: entry.idempotencyScope,
        key,
        requestFingerprint,
        body: requestBody.bytes,
        deadlineMs,
        movesMoney,
      };
      const known = "prepare" in definition ? await findStoredResponse(entry.ctx, once) : undefined;
      const execute = async () => {
        const run = await prepareRun();
        return withIdempotencyKey(entry.ctx, once, (ctx) => respond(run, ctx));
      };
      const done = known ?? (await execute());
      if (done.replayed) markReplayed(apiRequest);
      return done;
    }
    return {
      summary,
      access: caller,
      query,
      body,
      response,
      status,
      allowsApiKeys: allowsApiKeys && caller !== "user",
      movesMoney,
      acceptsFiles,
      upload,
      errors,
      limits: limitsOf(definition),
      acceptsCsv: definition.readCsv !== undefined,
      acceptsLines: definition.readLines !== undefined,
      perform,
    };
  };
}

function limitsOf({ maxBodyBytes, limits }: { maxBodyBytes?: number; limits?: RequestLimits }) {
  return maxBodyBytes === undefined ? limits : { maxBodyBytes, ...limits };
}

/** Without a schema the input is not parsed, and its type is unknown. */
function parseIf<S extends ZodType>(schema: S | undefined, input: unknown): output<S>;
function parseIf(schema: ZodType | undefined, input: unknown): unknown {
  return schema && parseInput(schema, input);
}

export function parseIdempotencyKey(request: RequestHead, required = false): string | undefined {
  if (request.method !== "POST") return undefined;
  const key = request.headers.get("Idempotency-Key");
  if (key === null && required)
    throw new Problem("malformed", "Send an Idempotency-Key header. It is required for this endpoint.");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem("malformed", "Idempotency-Key must be 1 to 255 visible ASCII characters");
  }
  return key ?? undefined;
}

/** Says that the response is about an earlier request with the same key. */
export function markReplayed({ headers }: ApiRequest): void {
  headers.set("Idempotent-Replayed", "true");
}

function replayedBody(response: unknown, shownOnce: readonly string[] | undefined): string | undefined {
  return shownOnce && JSON.stringify(response, (field, value) => (shownOnce.includes(field) ? undefined : value));
}
