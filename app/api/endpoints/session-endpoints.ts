import { z } from "zod";
import { accountStatuses, userTypes } from "#app/domain/accounts/account.ts";
import { registrationSchema } from "#app/domain/accounts/account-payloads.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { endSession } from "#app/domain/accounts/sign-in/end-session.server.ts";
import type { Viewer } from "#app/domain/accounts/viewer.ts";
import { env } from "#app/env.server.ts";
import { expiredCookie, readCookie } from "#app/web/cookies.server.ts";
import { finishSignIn, startSignIn } from "#app/web/sign-in/sign-in.server.ts";
import type { ApiRequest } from "../auth.server.ts";
import { publicEndpoint, userEndpoint } from "../endpoint.server.ts";
import { Problem } from "../problem.ts";
import { successBody, successShape, wire } from "../wire.ts";

const userSchema = z.object({
  id: wire.id,
  email: z.string(),
  name: z.string(),
  picture: z.string().nullable(),
  user_type: z.enum(userTypes),
  status: z.enum(accountStatuses),
  company_name: z.string().nullable(),
});
const success = z.object(successShape);

const logout = publicEndpoint({
  summary: "Sign out and revoke the current session, if any",
  response: success,
  run: async ({ ctx, apiRequest }) => {
    const token = await readCookie(apiRequest.head, "portal_session");
    if (token) await endSession(ctx, { token });
    apiRequest.headers.append("Set-Cookie", await expiredCookie("portal_session"));
    return successBody;
  },
});

/** Session endpoints: who is signed in. */
export const sessionEndpoints = {
  "GET /api/users/me": userEndpoint({
    summary: "The signed-in user",
    response: userSchema,
    run: async ({ viewer }) => userJson(viewer),
  }),
  "POST /api/users/register": userEndpoint({
    summary: "Complete registration for the signed-in user",
    body: registrationSchema,
    response: z.object({ ...successShape, user: userSchema }),
    errors: ["already_registered"],
    run: async ({ ctx, viewer, body }) => {
      const { accountId, status } = await registerAccount(ctx, {
        registration: body,
        approval: env().accountApproval,
      });
      const member = { ...viewer, userType: body.user_type, status, companyName: body.company_name, accountId };
      return { ...successBody, user: userJson(member) };
    },
  }),
  "GET /api/logout": logout,
  "POST /api/logout": logout,
  "GET /api/oauth/google/redirect_url": publicEndpoint({
    summary:
      "Get the sign-in URL. Keep the cookie set by this response. With the stand-in, clients may send `login_hint`",
    query: z.object({
      provider: z.string().optional().describe("The id of another identity provider of this server"),
      redirectTo: z.string().optional().describe("Path to return to after sign-in; same-site only"),
    }),
    response: z.object({ redirectUrl: z.url() }),
    run: async ({ apiRequest, query }) => {
      const { url, headers } = await startSignIn(apiRequest.toRequest(), { ...query, context: apiRequest.context });
      addCookies(apiRequest, headers);
      return { redirectUrl: url };
    },
  }),
  "POST /api/sessions": publicEndpoint({
    summary: "Exchange an authorization code for a session cookie. The same client must have started the sign-in",
    body: z.object({ code: z.unknown().meta({ type: "string" }) }),
    response: success,
    errors: ["sign_in_failed"],
    run: async ({ apiRequest, body: { code } }) => {
      if (typeof code !== "string" || code === "") throw new Problem("malformed", "No authorization code provided");
      const { headers } = await finishSignIn(apiRequest.toRequest(), { code, context: apiRequest.context });
      addCookies(apiRequest, headers);
      return successBody;
    },
  }),
};

function addCookies(apiRequest: ApiRequest, headers: Headers): void {
  for (const cookie of headers.getSetCookie()) apiRequest.headers.append("Set-Cookie", cookie);
}

function userJson({ id, email, name, picture, userType, status, companyName }: Viewer) {
  return { id, email, name, picture, user_type: userType, status, company_name: companyName };
}
