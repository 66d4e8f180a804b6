/** A URL that the table of routes does not have: the root's ErrorBoundary shows the page. */
export function loader() {
  throw new Response("Not found", { status: 404, statusText: "Not Found" });
}

export const action = loader;

export default function NotFound() {
  return null;
}
