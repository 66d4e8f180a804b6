import type { ClientLoaderFunctionArgs } from "@remix-run/react";

/** Matches URLs without a route: the root's ErrorBoundary shows the page. */
export function loader() {
  return throwNotFound();
}

export function action() {
  return throwNotFound();
}

/**
 * The browser only has the routes of the current mount. Links to any other URL match this route and load the whole
 * page.
 */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Promise<never> {
  window.location.assign(request.url);
  return new Promise(() => undefined);
}

function throwNotFound(): never {
  throw new Response("Not found", { status: 404, statusText: "Not Found" });
}

export default function NotFound() {
  return null;
}
