import { PassThrough, Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { createReadableStreamFromReadable } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/server-runtime";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { env } from "#app/env.server.ts";
import { DocumentRequest } from "#app/web/document-request.ts";
import { log } from "#app/web/log.server.ts";
import { NonceContext } from "#app/web/nonce-context.ts";
import "#app/load-context.ts";

/** For the server, which hands the calls to their table without the router. */
export { answerCall } from "#app/api/dispatch.server.ts";

/** Loaders may stream so long, in milliseconds; the server's own clock ends the request at 10 seconds. */
export const streamTimeout = 8_000;

/** Renders a page: in pieces for browsers, whole for crawlers. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  remixContext: EntryContext,
  { nonce, requestId }: AppLoadContext,
): Promise<Response> {
  const ready = isbot(request.headers.get("user-agent") ?? "") ? "onAllReady" : "onShellReady";
  return new Promise((resolve, reject) => {
    let begun = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceContext.Provider value={nonce}>
        <DocumentRequest.Provider value={{ id: requestId, page: "default" }}>
          <RemixServer context={remixContext} url={request.url} abortDelay={streamTimeout} nonce={nonce} />
        </DocumentRequest.Provider>
      </NonceContext.Provider>,
      {
        nonce,
        [ready]() {
          begun = true;
          const body = env().isProduction ? nonceOnPreloads(nonce) : new PassThrough();
          headers.set("Content-Type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status }));
          pipe(body);
        },
        onShellError: reject,
        onError(error) {
          // Before the first piece the error comes to reject, and is logged there.
          if (begun && !request.signal.aborted) log.error("render failed", { requestId, error });
        },
      },
    );
    setTimeout(abort, streamTimeout + 1_000).unref();
  });
}

/** Every error that a loader, an action or a render did not expect. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // Gone before its answer; and URLs without a route are no errors of ours.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  log.error("request failed", { requestId: context.requestId, path: new URL(request.url).pathname, error });
}

/**
 * `strict-dynamic` lets a module preload pass by its nonce only, and Remix gives it none.
 * In development the links stay as they are, because React would report the difference.
 */
function nonceOnPreloads(nonce: string): Transform {
  const tag = '<link rel="modulepreload"';
  const decoder = new StringDecoder("utf8");
  let held = "";
  return new Transform({
    transform(chunk, _encoding, done) {
      const text = held + decoder.write(chunk);
      // A tag may be cut in two by the end of the chunk.
      const last = text.lastIndexOf("<");
      const cut = last > text.length - tag.length && last >= 0 ? last : text.length;
      held = text.slice(cut);
      done(null, text.slice(0, cut).replaceAll(tag, `<link nonce="${nonce}" rel="modulepreload"`));
    },
    flush(done) {
      done(null, held + decoder.end());
    },
  });
}
