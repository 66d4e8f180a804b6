import { Readable } from "node:stream";
import { type ActionFunctionArgs, createReadableStreamFromReadable, type LoaderFunctionArgs } from "@remix-run/node";
import { answerCall } from "./dispatch.server.ts";

/**
 * `/api/*` is one route, because the router ranks all routes again on each request. The table is in `calls.ts`. (The
 * server goes straight to the table, see `server/calls.ts`; this door is for who has Remix's alone.)
 */
export function loader({ request, context }: LoaderFunctionArgs) {
  return respond({ request, context });
}

export function action({ request, context }: ActionFunctionArgs) {
  return respond({ request, context });
}

async function respond({ request, context }: Pick<LoaderFunctionArgs, "request" | "context">): Promise<Response> {
  const { body, ...init } = await answerCall(request, context);
  return new Response(body instanceof Readable ? createReadableStreamFromReadable(body) : body, init);
}
