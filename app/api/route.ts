import { Readable } from "node:stream";
import { type ActionFunctionArgs, createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { handleApiRequest } from "./handle-request.server.ts";

/**
 * `/api/*` is one route, because the router ranks all routes again on every request. The endpoint table is in
 * `endpoints.ts`. The server calls the table directly (server/http/api-handler.ts); this route serves setups that run
 * only Remix's handler.
 */
export function loader({ request, context }: LoaderFunctionArgs) {
  return respond({ request, context });
}

export function action({ request, context }: ActionFunctionArgs) {
  return respond({ request, context });
}

async function respond({ request, context }: Pick<LoaderFunctionArgs, "request" | "context">): Promise<Response> {
  const { body, ...init } = await handleApiRequest({ head: request, toRequest: () => request }, context);
  return new Response(body instanceof Readable ? createReadableStreamFromReadable(body) : body, init);
}
