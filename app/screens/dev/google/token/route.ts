import type { ActionFunctionArgs } from "@remix-run/node";
import { readFormData } from "#app/web/forms/form.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";
import { redeemCode, requireStandIn } from "#app/web/sign-in/stand-in.server.ts";

/** The sign-in stand-in's token endpoint. The server itself calls it, without cookies. */
export async function action({ request, context }: ActionFunctionArgs) {
  requireStandIn();
  const tokens = await redeemCode(visitorCtx(context), await readFormData(request));
  return tokens ? Response.json(tokens) : Response.json({ error: "invalid_grant" }, { status: 400 });
}

export function loader() {
  requireStandIn();
  return Response.json({ error: "invalid_request" }, { status: 405, headers: { Allow: "POST" } });
}
