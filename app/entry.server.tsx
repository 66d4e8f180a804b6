import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/server-runtime";
import { renderToString } from "react-dom/server";
import { env } from "#app/env.server.ts";
import { retryAfterTrouble } from "#app/web/database-trouble.server.ts";
import { DocumentRequest } from "#app/web/document-request.ts";
import { log } from "#app/web/log.server.ts";
import { NonceContext } from "#app/web/nonce-context.ts";
import "#app/load-context.ts";

/** For the server, which hands the calls to their table without the router, and has the routes paid for. */
export { answerCall } from "#app/api/dispatch.server.ts";
export { limitRoute } from "#app/portal/limit-route.server.ts";

/** Loaders may stream so long, in milliseconds; the server's own clock ends the request at 10 seconds. */
export const streamTimeout = 8_000;

/**
 * Renders a page, whole: no screen waits for data while it is shown, and pieces cost more than they give. The data
 * follows the page as Remix's own component would stream it.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  { serverHandoffStream, ...remixContext }: EntryContext,
  { nonce, requestId }: AppLoadContext,
): Promise<Response> {
  const page = renderToString(
    <NonceContext.Provider value={nonce}>
      <DocumentRequest.Provider value={{ id: requestId, page: "default" }}>
        <RemixServer context={remixContext} url={request.url} nonce={nonce} />
      </DocumentRequest.Provider>
    </NonceContext.Provider>,
  );
  const data = serverHandoffStream ? dataScript(await new Response(serverHandoffStream).text(), nonce) : "";
  const end = page.lastIndexOf("</body>");
  const html = `<!DOCTYPE html>${withNonces(page.slice(0, end), nonce)}${data}${page.slice(end)}`;
  headers.set("Content-Type", "text/html; charset=utf-8");
  sayWhenToRetry(status, headers);
  // As bytes: a text would be searched for lone surrogates first.
  return new Response(Buffer.from(html), { headers, status });
}

/** The same data without a page, which the browser's half asks for as it follows a link. */
export function handleDataRequest(response: Response): Response {
  sayWhenToRetry(response.status, response.headers);
  return response;
}

/** Remix takes a thrown response's status along, and not its headers. */
function sayWhenToRetry(status: number, headers: Headers): void {
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", String(retryAfterTrouble));
}

/** Feeds the browser's half of Remix, which waits for the stream to close. */
function dataScript(data: string, nonce: string): string {
  const text = JSON.stringify(data).replace(
    /[&<>\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `<script nonce="${nonce}">{const c=window.__remixContext.streamController;c.enqueue(${text});c.close()}</script>`;
}

/**
 * `strict-dynamic` lets a module preload pass by its nonce only, and Remix gives it none.
 * In development the links stay as they are, because React would report the difference.
 */
function withNonces(html: string, nonce: string): string {
  if (!env().isProduction) return html;
  return html.replaceAll('<link rel="modulepreload"', `<link nonce="${nonce}" rel="modulepreload"`);
}

/** Every error that a loader, an action or a render did not expect. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // Gone before its answer; and URLs without a route are no errors of ours.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  log.error("request failed", { requestId: context.requestId, path: new URL(request.url).pathname, error });
}
