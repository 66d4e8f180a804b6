/** A URL that the table of routes does not have: the root's ErrorBoundary shows the page. */
export function loader() {
  return refuse();
}

export function action() {
  return refuse();
}

function refuse(): never {
  throw new Response("Not found", { status: 404, statusText: "Not Found" });
}

export default function NotFound() {
  return null;
}
