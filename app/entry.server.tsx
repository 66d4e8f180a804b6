import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import type { ActionFunctionArgs, AppLoadContext, EntryContext, LoaderFunctionArgs } from "@remix-run/server-runtime";
import { renderToString } from "react-dom/server";
import { env } from "#app/env.server.ts";
import { PartNamesContext } from "#app/ui/lazy/part-names.ts";
import { PageTexts, PageTextsContext } from "#app/ui/table/page-texts.ts";
import type { ShownRow } from "#app/ui/table/shown-row.ts";
import { readCookie } from "#app/web/cookies.server.ts";
import { dataExpression } from "#app/web/data-expression.ts";
import { retryAfterTrouble } from "#app/web/database-trouble.server.ts";
import { log } from "#app/web/log.server.ts";
import { NonceContext } from "#app/web/nonce-context.ts";
import { partLinks } from "#app/web/part-links.server.ts";
import { DocumentRequestContext } from "#app/web/request-id.ts";
import { scriptString } from "#app/web/script-string.ts";
import { parseTheme } from "#app/web/theme.ts";
import "#app/load-context.ts";

/** For the server, which hands the calls to their table without the router, and has the routes paid for. */
export { endpointLimits } from "#app/api/endpoint-limits.ts";
export { handleApiRequest } from "#app/api/handle-request.server.ts";
export { limitRoute } from "#app/portal/limit-route.server.ts";
export { routeCostOf } from "#app/portal/route-costs.ts";

/** The time limit for streaming loader data, in milliseconds; the server itself ends a request after 10 seconds. */
export const streamTimeout = 8_000;

/**
 * Renders a complete page: no screen waits for data while it is shown, and streaming HTML costs more than it saves. The
 * page ends with its scripts, which have the loaders' data.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entryContext: EntryContext,
  { nonce, requestId, setPage }: AppLoadContext,
): Promise<Response> {
  // Without the stream, which encodes the data when it is read, and which Remix would render into the page.
  const remixContext: EntryContext = Object.create(entryContext, { serverHandoffStream: { value: undefined } });
  const theme = parseTheme(await readCookie(request, "portal_theme"));
  const texts = new PageTexts(nonce);
  const partNames = new Set<string>();
  const page = renderToString(
    <NonceContext.Provider value={nonce}>
      <DocumentRequestContext.Provider value={{ id: requestId, page: "default", theme }}>
        <PageTextsContext.Provider value={texts}>
          <PartNamesContext.Provider value={partNames}>
            <RemixServer context={remixContext} url={request.url} nonce={nonce} />
          </PartNamesContext.Provider>
        </PageTextsContext.Provider>
      </DocumentRequestContext.Provider>
    </NonceContext.Provider>,
  );
  const end = page.lastIndexOf("</body>");
  const first = firstPreload(page, end);
  const links = page.slice(first, end).replaceAll(preload, `<link nonce="${nonce}" rel="modulepreload"`);
  const scripts = withState(links, remixContext, { partNames, shownRows: texts.selectable }) ?? links;
  // A page without scripts needs no data.
  const needsData = remixContext.renderMeta?.didRenderScripts;
  const needsStream = needsData && scripts === links;
  // Parts, because a text of them all would be a second copy of the page.
  const parts = [
    "<!DOCTYPE html>",
    ...texts.fill(page.slice(0, first)),
    scripts,
    needsData ? partLinks(partNames, links, nonce) : "",
    needsStream ? streamScript(await new Response(entryContext.serverHandoffStream).text(), partNames, nonce) : "",
    page.slice(end),
  ];
  headers.set("Content-Type", "text/html; charset=utf-8");
  setRetryAfter(status, headers);
  setPage?.(parts);
  // As bytes, because a string would first be searched for lone surrogates.
  return new Response(setPage ? null : Buffer.from(parts.join("")), { headers, status });
}

/** The loader data without a page, which the browser requests for client-side navigation. */
export function handleDataRequest(response: Response): Response {
  setRetryAfter(response.status, response.headers);
  return response;
}

/** Remix adopts a thrown response's status, but not its headers. */
function setRetryAfter(status: number, headers: Headers): void {
  if (status === 503 && !headers.has("Retry-After")) headers.set("Retry-After", String(retryAfterTrouble));
}

/** What Remix writes into a page to receive its data by a stream. */
const streamReceiver =
  "window.__remixContext.stream = new ReadableStream({start(controller){window.__remixContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());";

type PageContext = Pick<EntryContext, "serverHandoffString" | "staticHandlerContext">;

/**
 * Returns a page's scripts with its data as an expression, in the place where Remix prepares a stream: smaller, and the
 * browser has it at once. Undefined if there are errors or values that only the stream can carry, and in development,
 * where Remix's half in the browser is as it comes (server/bundle/remix-edits.ts).
 */
function withState(
  scripts: string,
  { serverHandoffString, staticHandlerContext: { loaderData, actionData, errors } }: PageContext,
  { partNames, shownRows }: { partNames: ReadonlySet<string>; shownRows: readonly ShownRow[] },
): string | undefined {
  const receiver = `window.__remixContext = ${serverHandoffString};${streamReceiver}`;
  const place = scripts.indexOf(receiver);
  const state = place < 0 || errors ? undefined : dataExpression({ loaderData, actionData }, shownRows);
  if (state === undefined) return undefined;
  const context = `${partsScript(partNames)}window.__remixContext={state:${state}}`;
  return scripts.slice(0, place) + context + scripts.slice(place + receiver.length);
}

/** Feeds Remix in the browser, which waits for the stream to close. */
function streamScript(data: string, partNames: ReadonlySet<string>, nonce: string): string {
  return `<script nonce="${nonce}">${partsScript(partNames)}{const c=window.__remixContext.streamController;c.enqueue(${scriptString(data)});c.close()}</script>`;
}

/** Names the parts that hydration waits for. */
function partsScript(partNames: ReadonlySet<string>): string {
  return partNames.size > 0 ? `window.screenParts=${JSON.stringify([...partNames])};` : "";
}

const preload = '<link rel="modulepreload"';

/**
 * Returns where the first of the links that preload modules is; `end` if there are none, and in development.
 * `strict-dynamic` allows a module preload only with a nonce, and Remix adds none. They stand one after another behind
 * the content, so they are searched from the end, which spares searching the page. Development keeps them unchanged,
 * because React would report the difference.
 */
function firstPreload(page: string, end: number): number {
  if (!env().isProduction) return end;
  let first = page.lastIndexOf(preload, end);
  if (first < 0) return end;
  for (let before = first; page.startsWith(preload, before); before = page.lastIndexOf("<", first - 1)) first = before;
  return first;
}

/** Reports every unexpected error of a loader, an action or a render. */
export function handleError(error: unknown, { request, context }: LoaderFunctionArgs | ActionFunctionArgs): void {
  // Requests that the client aborted and URLs without a route are not errors.
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  log.error("request failed", { requestId: context.requestId, path: new URL(request.url).pathname, error });
}
