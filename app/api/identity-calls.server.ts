import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod";
import type { Registration } from "#app/domain/accounts/account-payloads.ts";
import { endSession } from "#app/domain/accounts/end-session.server.ts";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import type { Member, Viewer } from "#app/domain/accounts/viewer.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env } from "#app/env.server.ts";
import { findViewer } from "#app/portal/viewer.server.ts";
import { clearCookie, readCookie } from "#app/web/cookies.server.ts";
import { finishSignIn, startSignIn, visitorCtx } from "#app/web/sign-in.server.ts";

/** The calls about who one is, for the table of calls: what they answer, and the cookies that go with it. */
type Answer<T> = { body: T; headers?: Headers };

/** `GET /api/oauth/google/redirect_url?redirectTo=` */
export async function redirectUrl(request: Request, context: AppLoadContext): Promise<Answer<{ redirectUrl: string }>> {
  const redirectTo = new URL(request.url).searchParams.get("redirectTo");
  const { url, headers } = await startSignIn(request, { redirectTo, context });
  return { body: { redirectUrl: url }, headers };
}

export const missingCode = "No authorization code provided";
/** The table answers 400 with `missingCode` when the body does not fit. */
export const sessionSchema = z.object({ code: z.string(missingCode).min(1, missingCode).max(4_096, missingCode) });

/** `POST /api/sessions`: the code is exchanged with the attempt that this browser's cookie names. */
export async function exchangeCode(
  request: Request,
  { code }: z.output<typeof sessionSchema>,
  context: AppLoadContext,
): Promise<Answer<{ success: true }>> {
  const { headers } = await finishSignIn(request, { code, context });
  return { body: { success: true }, headers };
}

/** `GET /api/logout`, with or without a session. */
export async function logout(request: Request, context: AppLoadContext): Promise<Answer<{ success: true }>> {
  const token = readCookie(request, "portal_session");
  if (token) await endSession(visitorCtx(context), { token });
  return { body: { success: true }, headers: new Headers({ "Set-Cookie": clearCookie("portal_session") }) };
}

/** `GET /api/users/me` */
export async function me(request: Request, context: AppLoadContext) {
  return { body: userOf(await signedIn(request, context)) };
}

/** `POST /api/users/register` */
export async function register(request: Request, registration: Registration, context: AppLoadContext) {
  const viewer = await signedIn(request, context);
  const ctx = { ...visitorCtx(context), door: "api" as const, actor: { kind: "user" as const, userId: viewer.id } };
  const { accountId, status } = await registerAccount(ctx, { registration, approval: env().accountApproval });
  const member: Member = {
    ...viewer,
    userType: registration.user_type,
    status,
    companyName: registration.company_name,
    accountId,
  };
  return { body: { success: true, user: userOf(member) } };
}

async function signedIn(request: Request, context: AppLoadContext): Promise<Viewer> {
  const viewer = await findViewer(request, context);
  if (!viewer) throw new DomainError("unauthenticated", "Sign in first");
  return viewer;
}

function userOf({ id, email, name, picture, userType, status, companyName }: Viewer) {
  return { id, email, name, picture, user_type: userType, status, company_name: companyName };
}
