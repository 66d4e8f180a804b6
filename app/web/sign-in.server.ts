import type { AppLoadContext } from "@remix-run/node";
import { Authenticator } from "remix-auth";
import { takeToken } from "#app/domain/access/take-token.server.ts";
import { AttemptConsumedError } from "#app/domain/accounts/consume-sign-in-attempt.server.ts";
import { findSignInAttempt, type SignInAttempt } from "#app/domain/accounts/find-sign-in-attempt.server.ts";
import { hashSecret, looksLikeSecret, newSecret } from "#app/domain/accounts/secrets.server.ts";
import { type Identity, signInFailed, signInUser } from "#app/domain/accounts/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import { database } from "#db/client.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";
import { PkceGoogleStrategy } from "./google.server.ts";
import { callbackUrl, identityProvider, signInOrigin } from "./identity-provider.server.ts";
import { log, report } from "./log.server.ts";
import { safePath } from "./redirects.ts";
import { signInAttempts } from "./sign-in-attempts.server.ts";

/** Ten sign-ins in three minutes from one address. */
const allowance = { capacity: 10, seconds: 180 };

/**
 * Sends this browser to the identity provider: the URL to go to, and the cookie that alone can finish it.
 * Throws `rate_limited`.
 */
export async function startSignIn(
  request: Request,
  options: { redirectTo?: string | null; loginHint?: string; context?: AppLoadContext } = {},
): Promise<{ url: string; headers: Headers }> {
  const ctx = visitorCtx(options.context);
  if (env().rateLimits) {
    await takeToken(ctx, { bucket: `sign-in:${options.context?.clientAddress ?? "unknown"}`, ...allowance });
  }
  const { loginHint, redirectTo } = options;
  const authenticator = authenticatorFor(ctx, { request, loginHint, redirectTo: safePath(redirectTo) });
  // Without the browser's cookies: an attempt of its own begins, whatever secret the browser had before.
  const sent = await responseThrownBy(authenticator.authenticate("google", new Request(signInOrigin(request))));
  const [url, cookie] = [sent.headers.get("Location"), sent.headers.get("Set-Cookie")];
  if (!url || !cookie) throw new Error("The strategy did not lead to the identity provider");
  return { url, headers: new Headers({ "Set-Cookie": cookie }) };
}

/** This browser's sign-in of the last ten minutes, finished or not. */
export async function findAttempt(request: Request, context?: AppLoadContext): Promise<SignInAttempt | undefined> {
  const browserSecret = await readCookie(request, "portal_sign_in");
  return browserSecret ? findSignInAttempt(visitorCtx(context), { browserSecret }) : undefined;
}

/**
 * Exchanges the code for a session and answers with its cookie, and the one by which the browser is known next time. The calls,
 * which know no state, leave it out: there the browser's secret and the code verifier must do.
 * Throws `sign_in_failed` for everything that is not this browser's own sign-in, and for what the provider refuses; as an
 * AttemptConsumedError when another request has finished this very sign-in, or is about to.
 */
export async function finishSignIn(
  request: Request,
  { code, state, context }: { code: string; state?: string; context?: AppLoadContext },
): Promise<{ headers: Headers }> {
  const ctx = visitorCtx(context);
  // The row knows the state by its hash, which is what the strategy compares.
  const stateHash = state === undefined ? (await findAttempt(request, context))?.stateHash : hashSecret(state);
  const identity = await exchange(ctx, request, { code, stateHash: stateHash ?? "" });
  const { userId } = await signInUser(ctx, identity);
  const known = await readCookie(request, "portal_device");
  const device = known && looksLikeSecret(known) ? known : newSecret();
  const { token } = await startSession(ctx, {
    userId,
    device,
    userAgent: request.headers.get("User-Agent"),
    replaces: await readCookie(request, "portal_session"),
  });
  const headers = new Headers();
  headers.append("Set-Cookie", await writeCookie("portal_session", token));
  headers.append("Set-Cookie", await writeCookie("portal_device", device));
  return { headers };
}

export function visitorCtx(context?: AppLoadContext): VisitorCtx {
  return { db: database(), clock: () => new Date(), door: "screen", requestId: context?.requestId, report };
}

type Way = { request: Request; loginHint?: string | undefined; redirectTo?: string | undefined };

/** The way in: the identity provider's strategy over this product's sign-in attempts. */
function authenticatorFor(ctx: VisitorCtx, { request, loginHint, redirectTo }: Way): Authenticator<Identity> {
  const strategy = new PkceGoogleStrategy(identityProvider(), { origin: signInOrigin(request), loginHint });
  return new Authenticator<Identity>(signInAttempts(ctx, { redirectTo }), { throwOnError: true }).use(strategy);
}

/** The authenticator leads away by throwing a redirect. */
async function responseThrownBy(authenticating: Promise<Identity>): Promise<Response> {
  try {
    await authenticating;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
  throw new Error("The strategy finished a sign-in that was to begin");
}

/** Hands the authenticator the callback, whether the browser or a call brought its code. */
async function exchange(
  ctx: VisitorCtx,
  request: Request,
  { code, stateHash }: { code: string; stateHash: string },
): Promise<Identity> {
  const url = new URL(callbackUrl(signInOrigin(request)));
  url.search = new URLSearchParams({ code, state: stateHash }).toString();
  const callback = new Request(url, { headers: { Cookie: request.headers.get("Cookie") ?? "" } });
  try {
    return await authenticatorFor(ctx, { request }).authenticate("google", callback);
  } catch (error) {
    if (error instanceof Error && error.cause instanceof AttemptConsumedError) throw error.cause;
    log.warn("Failed to exchange code for session token", { requestId: ctx.requestId, error });
    throw signInFailed();
  }
}
