import { pipeline, Readable } from "node:stream";
import type { AppLoadContext, ServerBuild } from "@remix-run/server-runtime";
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express";
import type { ApiResponse } from "#app/api/api-response.ts";
import { noteChange } from "#app/web/last-change.server.ts";
import { isApiPath, requestPath } from "./plain-response.ts";
import { webRequest } from "./web-request.ts";

type ApiRequestHandler = (request: Request, context: AppLoadContext) => Promise<ApiResponse>;

type CallOptions = {
  build: ServerBuild | (() => Promise<ServerBuild>);
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext;
};

/**
 * Routes `/api/*` to the endpoint table without the router, which would match all pages first. The table comes from the
 * build, because pages share its modules and their state, such as cached viewers.
 */
export function createApiHandler({ build, contextOf }: CallOptions): RequestHandler {
  return async (request, response, next) => {
    if (!isApiPath(requestPath(request))) return next();
    try {
      // Before any await: the body limit has already made the bytes flow.
      const fetchRequest = webRequest(request);
      const { module } = (typeof build === "function" ? await build() : build).entry;
      const apiResponse = await loadApiHandler(module)(fetchRequest, contextOf(request, response));
      if (!fetchRequest.headers.has("Authorization")) await noteChange(fetchRequest, apiResponse.headers);
      send(apiResponse, response);
    } catch (error) {
      next(error);
    }
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

function send({ status, headers, body }: ApiResponse, response: ExpressResponse): void {
  // The timeout or the size limit may have responded meanwhile.
  if (response.headersSent) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  response.statusCode = status;
  for (const [name, value] of headers) response.append(name, value);
  if (!(body instanceof Readable)) return void response.end(body ?? undefined);
  // A client that disconnects leaves an incomplete file, which nothing waits for.
  pipeline(body, response, () => undefined);
}
