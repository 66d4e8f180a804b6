import { type AppLoadContext, createSession, type SessionStorage } from "@remix-run/node";
import { takeToken } from "#app/domain/access/take-token.server.ts";
import { beginSignIn, signInAttemptLife } from "#app/domain/accounts/begin-sign-in.server.ts";
import { deviceLife } from "#app/domain/accounts/device.ts";
import { looksLikeSecret, newSecret } from "#app/domain/accounts/secrets.server.ts";
import { sessionLife } from "#app/domain/accounts/session.ts";
import { type Identity, signInFailed, signInUser } from "#app/domain/accounts/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/start-session.server.ts";
import { type TakenAttempt, takeSignInAttempt } from "#app/domain/accounts/take-sign-in-attempt.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import { database } from "#db/client.server.ts";
import { readCookie, writeCookie } from "./cookies.server.ts";
import { PkceGoogleStrategy } from "./google.server.ts";
import { callbackUrl, identityProvider, signInOrigin } from "./identity-provider.server.ts";
import { log } from "./log.server.ts";
import { safePath } from "./redirects.ts";

/** Ten sign-ins in three minutes from one address. */
const allowance = { capacity: 10, seconds: 180 };

const strategyOptions = {
  sessionKey: "user",
  sessionErrorKey: "error",
  sessionStrategyKey: "strategy",
  name: "google",
  throwOnError: true,
};
const stateKey = "oauth2:state";

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
  const secrets = { codeVerifier: newSecret(), nonce: newSecret(), origin: signInOrigin(request) };
  const strategy = new PkceGoogleStrategy(identityProvider(), { ...secrets, loginHint: options.loginHint });
  const { url, state } = await authorizationOf(strategy, secrets.origin);
  const { browserSecret } = await beginSignIn(ctx, { ...secrets, state, redirectTo: safePath(options.redirectTo) });
  const headers = new Headers();
  headers.append("Set-Cookie", await writeCookie("portal_sign_in", browserSecret, signInAttemptLife / 1000));
  return { url, headers };
}

/** This browser's own sign-in under way, taken: it counts once. Undefined when there is none that `state` names. */
export async function takeAttempt(request: Request, { state, context }: { state?: string; context?: AppLoadContext }) {
  const browserSecret = await readCookie(request, "portal_sign_in");
  return browserSecret ? takeSignInAttempt(visitorCtx(context), { browserSecret, state }) : undefined;
}

/**
 * Exchanges the code for a session and answers with its cookie, and the one by which the browser is known next time. The calls, which know no state, leave the attempt out.
 * Throws `sign_in_failed` for everything that is not this browser's own sign-in, and for what the provider refuses.
 */
export async function finishSignIn(
  request: Request,
  { code, attempt, context }: { code: string; attempt?: TakenAttempt; context?: AppLoadContext },
): Promise<{ headers: Headers }> {
  const ctx = visitorCtx(context);
  const taken = attempt ?? (await takeAttempt(request, { context }));
  if (!taken) throw signInFailed();
  const identity = await exchange(code, { ...taken, origin: signInOrigin(request) }, context);
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
  headers.append("Set-Cookie", await writeCookie("portal_session", token, sessionLife / 1000));
  headers.append("Set-Cookie", await writeCookie("portal_device", device, deviceLife / 1000));
  return { headers };
}

export function visitorCtx(context?: AppLoadContext): VisitorCtx {
  return { db: database(), clock: () => new Date(), door: "screen", requestId: context?.requestId };
}

/** The strategy answers by throwing a redirect; it has put the state that it made into the session. */
async function authorizationOf(strategy: PkceGoogleStrategy, origin: string) {
  const storage = storageOf({});
  try {
    await strategy.authenticate(new Request(`${origin}/`), storage, strategyOptions);
  } catch (thrown) {
    const url = thrown instanceof Response ? thrown.headers.get("Location") : null;
    const state = url && new URL(url).searchParams.get("state");
    if (url && state) return { url, state };
    throw thrown;
  }
  throw new Error("The strategy did not redirect");
}

/**
 * The state was checked by `takeSignInAttempt`, against the row and this browser's secret. The strategy wants to compare one
 * too, and gets the same text twice.
 */
async function exchange(
  code: string,
  secrets: { codeVerifier: string; nonce: string; origin: string },
  context?: AppLoadContext,
): Promise<Identity> {
  const url = new URL(callbackUrl(secrets.origin));
  url.search = new URLSearchParams({ code, state: "checked" }).toString();
  const strategy = new PkceGoogleStrategy(identityProvider(), secrets);
  try {
    return await strategy.authenticate(new Request(url), storageOf({ [stateKey]: "checked" }), strategyOptions);
  } catch (error) {
    log.warn("Failed to exchange code for session token", { requestId: context?.requestId, error });
    throw signInFailed();
  }
}

/** A session for the strategy alone, in memory: what must last stands in the attempt's row. */
function storageOf(initial: Record<string, unknown>): SessionStorage {
  const session = createSession(initial);
  return {
    getSession: async () => session,
    commitSession: async () => "",
    destroySession: async () => "",
  };
}
