import type { LoaderFunctionArgs } from "@remix-run/node";
import { findPerson, requireStandIn } from "#app/web/stand-in.server.ts";

/** The stand-in's userinfo endpoint. */
export function loader({ request }: LoaderFunctionArgs) {
  requireStandIn();
  const person = findPerson(request);
  return person ? Response.json(person) : Response.json({ error: "invalid_token" }, { status: 401 });
}
