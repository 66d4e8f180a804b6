import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { dispatch } from "./dispatch.server.ts";

/** `/api/*` is one route, because the router ranks all routes again on each request. The table is in `calls.ts`. */
export function loader({ request, context }: LoaderFunctionArgs) {
  return dispatch(request, context);
}

export function action({ request, context }: ActionFunctionArgs) {
  return dispatch(request, context);
}
