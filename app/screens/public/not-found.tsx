import type { ClientLoaderFunctionArgs } from "@remix-run/react";

/** A URL that the table of routes does not have: the root's ErrorBoundary shows the page. */
export function loader() {
  return refuse();
}

export function action() {
  return refuse();
}

/**
 * The browser knows only the routes of the mount that its page lies in. A link to any other URL comes here, and is followed
 * by loading the whole page. Should the browser bring the page that was left back as it was, it begins anew.
 */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Promise<never> {
  window.addEventListener("pageshow", ({ persisted }) => persisted && window.location.reload());
  window.location.assign(request.url);
  return new Promise(() => undefined);
}

function refuse(): never {
  throw new Response("Not found", { status: 404, statusText: "Not Found" });
}

export default function NotFound() {
  return null;
}
