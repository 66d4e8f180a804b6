import type { LoaderFunctionArgs } from "@remix-run/node";
import { findUserInfo, requireStandIn } from "#app/web/sign-in/stand-in.server.ts";

/** The sign-in stand-in's userinfo endpoint. */
export function loader({ request }: LoaderFunctionArgs) {
  requireStandIn();
  const person = findUserInfo(request);
  return person ? Response.json(person) : Response.json({ error: "invalid_token" }, { status: 401 });
}
