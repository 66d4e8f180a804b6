import type { ActionFunctionArgs } from "@remix-run/node";
import { readForm } from "#app/web/form.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";
import { redeemCode, requireStandIn } from "#app/web/stand-in.server.ts";

/** The stand-in's token endpoint. The server itself calls it, without cookies. */
export async function action({ request, context }: ActionFunctionArgs) {
  requireStandIn();
  const tokens = await redeemCode(visitorCtx(context), await readForm(request));
  return tokens ? Response.json(tokens) : Response.json({ error: "invalid_grant" }, { status: 400 });
}

export function loader() {
  requireStandIn();
  return Response.json({ error: "invalid_request" }, { status: 405, headers: { Allow: "POST" } });
}
