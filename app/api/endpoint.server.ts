import type { input, output, ZodType } from "zod";
import { findStoredResponse, withIdempotencyKey } from "#app/domain/idempotency/with-idempotency-key.server.ts";
import { inCreationTurn } from "#app/domain/lock-creation.server.ts";
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
import type { Endpoint, EndpointDefinition, PathParams } from "./endpoint.ts";
import { markReplayed, parseIdempotencyKey, replayedBody } from "./idempotency-key.ts";
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

export const publicEndpoint = endpointFor("visitor", allowAnyone);
export const userEndpoint = endpointFor("user", requireUser);
export const advertiserEndpoint = endpointFor("advertiser", requireAdvertiser);
export const publisherEndpoint = endpointFor("publisher", requirePublisher);
export const tenantEndpoint = endpointFor("tenant", requireTenant);
export const operatorEndpoint = endpointFor("operator", requireOperator);

/** Every endpoint runs in this order: authenticate, authorize, parse the input, run the handler. */
function endpointFor<E extends AuthContext>(access: EndpointAccess, enter: (apiRequest: ApiRequest) => Promise<E>) {
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
      creates,
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
      const inTurn = <T>(work: () => Promise<T>) => inCreationTurn(entry.ctx, creates, work);
      if (!key || !entry.idempotencyScope || isUnstored) {
        const run = await prepareRun();
        return inTurn(() => respond(run, entry.ctx));
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
        return inTurn(() => withIdempotencyKey(entry.ctx, once, (ctx) => respond(run, ctx)));
      };
      const done = known ?? (await execute());
      if (done.replayed) markReplayed(apiRequest);
      return done;
    }
    return {
      summary,
      access,
      query,
      body,
      response,
      status,
      allowsApiKeys: allowsApiKeys && access !== "user",
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
