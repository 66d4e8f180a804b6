import { createSessionStorage, type SessionStorage } from "@remix-run/node";
import { z } from "zod";
import { beginSignIn } from "#app/domain/accounts/begin-sign-in.server.ts";
import { consumeSignInAttempt } from "#app/domain/accounts/consume-sign-in-attempt.server.ts";
import { findSignInAttempt } from "#app/domain/accounts/find-sign-in-attempt.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { portalCookie } from "./cookies.server.ts";

/** Where remix-auth-oauth2 keeps its state. */
const stateKey = "oauth2:state";

const attemptSchema = z.object({ [stateKey]: z.string(), codeVerifier: z.string(), nonce: z.string() });

/**
 * The sign-ins under way as remix-auth's sessions: the cookie holds the browser's secret, and the row all else. Of the state the
 * row holds the hash, so that is what a session has that was read.
 */
export function signInAttempts(
  ctx: VisitorCtx,
  { redirectTo }: { redirectTo?: string | undefined } = {},
): SessionStorage {
  return createSessionStorage({
    cookie: portalCookie("portal_sign_in"),
    createData: async (data) => {
      const { [stateKey]: state, codeVerifier, nonce } = attemptSchema.parse(data);
      const { browserSecret } = await beginSignIn(ctx, { state, codeVerifier, nonce, redirectTo });
      return browserSecret;
    },
    readData: async (browserSecret) => {
      const attempt = await findSignInAttempt(ctx, { browserSecret });
      if (!attempt) return null;
      return { [stateKey]: attempt.stateHash, codeVerifier: attempt.codeVerifier, nonce: attempt.nonce };
    },
    updateData: async () => {
      throw new Error("A sign-in attempt does not change: a new one begins instead");
    },
    /** Throws an AttemptConsumedError. The row stays, for the page that says Welcome and a callback that is opened twice. */
    deleteData: (browserSecret) => consumeSignInAttempt(ctx, { browserSecret }),
  });
}
