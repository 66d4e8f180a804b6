import type { LoaderFunctionArgs } from "@remix-run/node";
import { enterPortal } from "#app/portal/enter-portal.server.ts";
import { answerReachQuery } from "#app/screens/shared/reach/load-reach.server.ts";

/** The estimated reach of audiences, for the script that shows it while one chooses. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { ctx } = await enterPortal(request, "advertiser", context);
  return Response.json(await answerReachQuery(ctx, request));
}
