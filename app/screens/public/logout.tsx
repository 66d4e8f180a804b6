import { type ActionFunctionArgs, redirect } from "@remix-run/node";
import { endAllSessions } from "#app/domain/accounts/end-all-sessions.server.ts";
import { endSession } from "#app/domain/accounts/end-session.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { clearCookie, readCookie } from "#app/web/cookies.server.ts";
import { readForm } from "#app/web/form.server.ts";
import { log } from "#app/web/log.server.ts";
import { visitorCtx } from "#app/web/sign-in.server.ts";

/** Signs out here, or, with `intent=everywhere`, on all of one's devices. The cookie goes whatever happens. */
export async function action({ request, context }: ActionFunctionArgs) {
  const headers = { "Set-Cookie": await clearCookie("portal_session") };
  const token = await readCookie(request, "portal_session");
  const everywhere = (await readForm(request)).get("intent") === "everywhere";
  try {
    const viewer = everywhere ? await findViewer(request, context) : undefined;
    if (viewer) await endAllSessions(visitorCtx(context), { userId: viewer.id });
    if (token) await endSession(visitorCtx(context), { token });
  } catch (error) {
    log.error("Failed to logout", { requestId: context.requestId, error });
  }
  return redirect("/", { headers });
}

/** Only a form signs out: a link followed, or loaded ahead by a browser, changes nothing. */
export function loader() {
  return redirect("/");
}
