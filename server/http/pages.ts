import { type AppLoadContext, createRequestHandler, type ServerBuild } from "@remix-run/server-runtime";
import type { Request as ExpressRequest, Response as ExpressResponse, RequestHandler } from "express";
import { noteChange } from "#app/web/last-change.server.ts";
import { encodeTexts } from "./encode-texts.ts";
import { webRequest } from "./web-request.ts";

type PagesOptions = {
  build: ServerBuild | (() => Promise<ServerBuild>);
  mode: string;
  contextOf: (request: ExpressRequest, response: ExpressResponse) => AppLoadContext;
};

/**
 * Passes requests to Remix's routes. Remix's own Express adapter writes a body as fast as the route produces it; here a
 * slow client slows the route down, and a client that disconnects aborts it.
 */
export function servePages({ build, mode, contextOf }: PagesOptions): RequestHandler {
  const handle = createRequestHandler(build, mode);
  return async (request, response, next) => {
    try {
      let page: readonly string[] | undefined;
      const setPage = (parts: readonly string[]) => {
        page = parts;
      };
      const context = { ...contextOf(request, response), setPage };
      const fetchRequest = webRequest(request, signalOf(response));
      const fetchResponse = await handle(fetchRequest, context);
      await noteChange(fetchRequest, fetchResponse.headers);
      if (page === undefined || request.method === "HEAD") await sendResponse(fetchResponse, response);
      else sendPage(page, fetchResponse, response);
    } catch (error) {
      next(error);
    }
  };
}

/**
 * Returns a signal that is aborted when the response is over: sent, or never to be. Remix's timer for streamed data
 * then ends too; it would hold each page's data for eight seconds.
 */
function signalOf(response: ExpressResponse): AbortSignal {
  const over = new AbortController();
  // With a reason of its own, because the usual one is an error with a stack.
  response.on("close", () => over.abort(response.writableFinished ? "sent" : undefined));
  return over.signal;
}

/** Sends a page, which is complete, with the status and headers of its response. */
function sendPage(page: readonly string[], { status, statusText, headers }: Response, response: ExpressResponse): void {
  // The timeout or the size limit may have responded meanwhile.
  if (response.headersSent) return;
  setHead({ status, statusText, headers }, response);
  const bytes = encodeTexts(page);
  response.setHeader("Content-Length", bytes.length);
  response.end(bytes);
}

/** Sends a response's body at the client's speed. */
export async function sendResponse(
  { status, statusText, headers, body }: Response,
  response: ExpressResponse,
): Promise<void> {
  // The timeout or the size limit may have responded meanwhile.
  if (response.headersSent) return void (await body?.cancel());
  setHead({ status, statusText, headers }, response);
  if (!body) return void response.end();
  const reader = body.getReader();
  const drained = watchDrain(response);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return void response.end();
      if (response.destroyed) return await reader.cancel();
      if (response.write(value)) response.flush();
      else await drained();
    }
  } catch (error) {
    // Destroys the connection, so that the client does not take half a body for a complete one.
    response.destroy();
    throw error;
  }
}

function setHead(
  { status, statusText, headers }: Pick<Response, "status" | "statusText" | "headers">,
  response: ExpressResponse,
): void {
  response.statusMessage = statusText;
  response.status(status);
  for (const [name, value] of headers) response.append(name, value);
  // Of a page without an action, which Remix's response does not say (RFC 9110, 15.5.6).
  if (status === 405 && !headers.has("Allow")) response.setHeader("Allow", "GET, HEAD, OPTIONS");
}

/** Returns a function that resolves once more can be written, or nothing can any more. */
function watchDrain(response: ExpressResponse): () => Promise<void> {
  let onDrain = () => {};
  // Listeners are added once: the compression middleware moves them to another stream, where they cannot be removed.
  response.on("drain", () => onDrain());
  response.on("close", () => onDrain());
  return () =>
    new Promise((resolve) => {
      onDrain = resolve;
      if (response.destroyed) resolve();
    });
}
