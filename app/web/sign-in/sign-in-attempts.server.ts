import { createSessionStorage, type SessionStorage } from "@remix-run/node";
import { z } from "zod";
import { consumeSignInAttempt } from "#app/domain/accounts/sign-in/consume-sign-in-attempt.server.ts";
import { createSignInAttempt } from "#app/domain/accounts/sign-in/create-sign-in-attempt.server.ts";
import { findSignInAttempt } from "#app/domain/accounts/sign-in/find-sign-in-attempt.server.ts";
import type { VisitorCtx } from "#app/domain/context.ts";
import { portalCookie } from "#app/web/cookies.server.ts";

/** The session key of remix-auth-oauth2's state. */
const stateKey = "oauth2:state";

const attemptSchema = z.object({ [stateKey]: z.string(), codeVerifier: z.string(), nonce: z.string() });

/**
 * Stores sign-in attempts as remix-auth's sessions: the cookie holds the browser's secret, and the row everything else.
 * The row stores the state's hash, so a loaded session contains the hash.
 */
export function signInAttempts(
  ctx: VisitorCtx,
  { provider, redirectTo }: { provider: string; redirectTo?: string | undefined },
): SessionStorage {
  return createSessionStorage({
    cookie: portalCookie("portal_sign_in"),
    createData: async (data) => {
      const { [stateKey]: state, codeVerifier, nonce } = attemptSchema.parse(data);
      const { browserSecret } = await createSignInAttempt(ctx, { provider, state, codeVerifier, nonce, redirectTo });
      return browserSecret;
    },
    readData: async (browserSecret) => {
      const attempt = await findSignInAttempt(ctx, { browserSecret });
      if (attempt?.provider !== provider) return null;
      return { [stateKey]: attempt.stateHash, codeVerifier: attempt.codeVerifier, nonce: attempt.nonce };
    },
    updateData: async () => {
      throw new Error("A sign-in attempt does not change: a new one begins instead");
    },
    /**
     * Throws an AttemptConsumedError. The row remains, for the Welcome page and for a callback that is opened twice.
     */
    deleteData: (browserSecret) => consumeSignInAttempt(ctx, { browserSecret }),
  });
}
