import { pipeline, Readable } from "node:stream";
import { createReadableStreamFromReadable } from "@remix-run/node";
import type { AppLoadContext, ServerBuild } from "@remix-run/server-runtime";
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express";
import type { Answer } from "#app/api/json-answer.ts";
import { isCall, pathOf } from "./plain-answer.ts";

type AnswerCall = (request: Request, context: AppLoadContext) => Promise<Answer>;

type CallOptions = {
  build: ServerBuild | (() => Promise<ServerBuild>);
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext;
};

/**
 * Hands `/api/*` to the table of calls without the router, which would match all pages first. The table comes out of the
 * build, because the pages use its modules too: viewers found and the like are kept in them.
 */
export function answerCalls({ build, contextOf }: CallOptions): RequestHandler {
  return async (request, response, next) => {
    if (!isCall(pathOf(request))) return next();
    try {
      // Before anything is awaited: the limit on bodies has the bytes flowing already.
      const asked = requestOf(request);
      const { module } = (typeof build === "function" ? await build() : build).entry;
      send(await answererOf(module)(asked, contextOf(request, response)), response);
    } catch (error) {
      next(error);
    }
  };
}

function requestOf(request: ExpressRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, String(value));
  }
  const url = `${request.protocol}://${request.headers.host}${request.originalUrl}`;
  const { method } = request;
  if (method === "GET" || method === "HEAD" || !hasBody(request)) return new Request(url, { method, headers });
  return new Request(url, { method, headers, body: createReadableStreamFromReadable(request), duplex: "half" });
}

function hasBody({ headers }: ExpressRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function answererOf(module: object): AnswerCall {
  const answerCall: unknown = Reflect.get(module, "answerCall");
  if (!isAnswerCall(answerCall)) throw new Error("The build has no table of calls");
  return answerCall;
}

function isAnswerCall(value: unknown): value is AnswerCall {
  return typeof value === "function";
}

function send({ status, headers, body }: Answer, response: ExpressResponse): void {
  // The clock or the size limit may have answered meanwhile.
  if (response.headersSent) {
    if (body instanceof Readable) body.destroy();
    return;
  }
  response.statusCode = status;
  for (const [name, value] of headers) response.append(name, value);
  if (!(body instanceof Readable)) return void response.end(body ?? undefined);
  // Who goes away leaves half a file, which nobody waits for.
  pipeline(body, response, () => undefined);
}
