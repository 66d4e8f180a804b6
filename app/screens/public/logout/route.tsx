import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { endAllSessions } from "#app/domain/accounts/sign-in/end-all-sessions.server.ts";
import { endSession } from "#app/domain/accounts/sign-in/end-session.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { expiredCookie, readCookie } from "#app/web/cookies.server.ts";
import { FormRejection } from "#app/web/forms/field-gate.ts";
import { readFormData } from "#app/web/forms/form.server.ts";
import { log } from "#app/web/log.server.ts";
import { visitorCtx } from "#app/web/sign-in/sign-in.server.ts";

/**
 * Signs out here, or with `intent=everywhere` on all devices. Whatever else the body has, or if there is none, the
 * session ends and the cookie is deleted.
 */
export async function action({ request, context }: ActionFunctionArgs) {
  const headers = { "Set-Cookie": await expiredCookie("portal_session") };
  const token = await readCookie(request, "portal_session");
  const everywhere = (await readIntent(request)) === "everywhere";
  try {
    const viewer = everywhere ? await findViewer(request, context) : undefined;
    if (viewer) await endAllSessions(visitorCtx(context), { userId: viewer.id });
    if (token) await endSession(visitorCtx(context), { token });
  } catch (error) {
    log.error("Failed to logout", { requestId: context.requestId, error });
  }
  return redirect("/", { headers });
}

async function readIntent(request: Request): Promise<unknown> {
  try {
    return (await readFormData(request)).get("intent");
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    return thrown instanceof FormRejection ? thrown.fields.get("intent") : undefined;
  }
}

/** Only a form signs out: a followed or prefetched link changes nothing. */
export function loader() {
  return redirect("/");
}
