import { pipeline, Readable } from "node:stream";
import type { AppLoadContext, ServerBuild } from "@remix-run/server-runtime";
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express";
import type { ApiResponse } from "#app/api/api-response.ts";
import type { IncomingCall } from "#app/api/handle-request.server.ts";
import { noteChange } from "#app/web/last-change.server.ts";
import { hasBody, requestUrl, webRequest } from "./web-request.ts";

const maxFileListeners = 20;

type ApiRequestHandler = (call: IncomingCall, context: AppLoadContext) => Promise<ApiResponse>;

type CallOptions = {
  /** Compresses what is written to the response from then on, if the client accepts that. */
  compress: RequestHandler;
  build: ServerBuild | (() => Promise<ServerBuild>);
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext;
};

/**
 * Routes `/api/*` to the endpoint table without the router, which would match all pages first. The table comes from the
 * build, because pages share its modules and their state, such as cached viewers.
 */
export function createApiHandler({ compress, build, contextOf }: CallOptions): RequestHandler {
  return async (request, response, next) => {
    try {
      // Before any await: the body limit has already made the bytes flow.
      const call = incomingCall(request);
      const { module } = (typeof build === "function" ? await build() : build).entry;
      const apiResponse = await loadApiHandler(module)(call, contextOf(request, response));
      if (request.headers.authorization === undefined) await noteChange(call.head, apiResponse.headers);
      // What stays as it is, is sent without the middleware's wrappers around the response.
      const isPlain = request.headers["accept-encoding"] === undefined && typeof apiResponse.body === "string";
      if (isPlain || isSmall(apiResponse)) return send(apiResponse, response, "Accept-Encoding");
      compress(request, response, () => send(apiResponse, response));
    } catch (error) {
      next(error);
    }
  };
}

/** A request whose body may be read is a web request from the start; any other becomes one when that is needed. */
function incomingCall(request: ExpressRequest): IncomingCall {
  if (hasBody(request)) {
    const fetchRequest = webRequest(request);
    return { head: fetchRequest, toRequest: () => fetchRequest };
  }
  let fetchRequest: Request | undefined;
  const { method, headers } = request;
  const get = (name: string) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return {
    head: { method, url: requestUrl(request), headers: { get } },
    toRequest() {
      fetchRequest ??= webRequest(request);
      return fetchRequest;
    },
  };
}

function loadApiHandler(module: object): ApiRequestHandler {
  const handler: unknown = Reflect.get(module, "handleApiRequest");
  if (!isApiRequestHandler(handler)) throw new Error("The build has no table of calls");
  return handler;
}

function isApiRequestHandler(value: unknown): value is ApiRequestHandler {
  return typeof value === "function";
}

/** Whether a body is too small to be compressed: below 1 KB, as the middleware decides. */
function isSmall({ body }: ApiResponse): boolean {
  return !(body instanceof Readable) && (body?.length ?? 0) < 1_024 && Buffer.byteLength(body ?? "") < 1_024;
}

function send({ status, headers, body }: ApiResponse, response: ExpressResponse, vary?: string): void {
  // The timeout or the size limit may have responded meanwhile.
  if (response.headersSent) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  response.statusCode = status;
  for (const [name, value] of headers) response.append(name, value);
  if (vary) response.append("Vary", vary);
  if (!(body instanceof Readable)) return void response.end(body ?? undefined);
  // With those of the pipeline its end has more than ten listeners, and Node would warn of a leak.
  response.setMaxListeners(maxFileListeners);
  // A client that disconnects leaves an incomplete file, which nothing waits for.
  pipeline(body, response, () => undefined);
}
