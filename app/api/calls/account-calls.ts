import { z } from "zod";
import { accountStatuses, userTypes } from "#app/domain/accounts/account.ts";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { endSession } from "#app/domain/accounts/end-session.server.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { env } from "#app/env.server.ts";
import { clearCookie, readCookie } from "#app/web/cookies.server.ts";
import { finishSignIn, startSignIn } from "#app/web/sign-in.server.ts";
import { userCall, visitorCall } from "../call.server.ts";
import type { Visit } from "../callers.server.ts";
import { Problem } from "../problem.ts";
import { done, doneShape, wire } from "../wire.ts";

const userSchema = z.object({
  id: wire.id,
  email: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  user_type: z.enum(userTypes),
  status: z.enum(accountStatuses),
  company_name: z.string().nullable(),
});
const success = z.object(doneShape);

const logout = visitorCall({
  summary: "Sign out: revokes the session, if there is one",
  answer: success,
  run: async ({ ctx, visit }) => {
    const token = await readCookie(visit.request, "portal_session");
    if (token) await endSession(ctx, { token });
    visit.headers.append("Set-Cookie", await clearCookie("portal_session"));
    return done;
  },
});

/** Calls about who one is. */
export const accountCalls = {
  "GET /api/users/me": userCall({
    summary: "The signed-in user",
    answer: userSchema,
    run: async ({ viewer }) => userJson(viewer),
  }),
  "POST /api/users/register": userCall({
    summary: "Complete the registration of a signed-in user",
    body: registrationSchema,
    answer: z.object({ ...doneShape, user: userSchema }),
    run: async ({ ctx, viewer, body }) => {
      const { accountId, status } = await registerAccount(ctx, {
        registration: body,
        approval: env().accountApproval,
      });
      const member = { ...viewer, userType: body.user_type, status, companyName: body.company_name, accountId };
      return { ...done, user: userJson(member) };
    },
  }),
  "GET /api/logout": logout,
  "POST /api/logout": logout,
  "GET /api/oauth/google/redirect_url": visitorCall({
    summary: "Where to sign in. The answer's cookie belongs to it; a client of the stand-in may add `login_hint`",
    query: z.object({ redirectTo: z.string().optional().describe("The path to end at; same-site paths only") }),
    answer: z.object({ redirectUrl: z.url() }),
    run: async ({ visit, query }) => {
      const { url, headers } = await startSignIn(visit.request, { ...query, context: visit.context });
      addCookies(visit, headers);
      return { redirectUrl: url };
    },
  }),
  "POST /api/sessions": visitorCall({
    summary: "Exchange the code of a sign-in that this client began for a session cookie",
    body: z.object({ code: z.unknown() }),
    answer: success,
    run: async ({ visit, body: { code } }) => {
      if (typeof code !== "string" || code === "") throw new Problem("malformed", "No authorization code provided");
      const { headers } = await finishSignIn(visit.request, { code, context: visit.context });
      addCookies(visit, headers);
      return done;
    },
  }),
};

function addCookies(visit: Visit, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) visit.headers.append("Set-Cookie", cookie);
}

function userJson({ id, email, name, picture, userType, status, companyName }: Viewer) {
  return { id, email, name, picture, user_type: userType, status, company_name: companyName };
}
