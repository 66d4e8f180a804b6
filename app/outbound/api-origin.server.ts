import { env } from "#app/env.server.ts";

/** Where an API stands when it is not where its documentation says: see `.env.example`. */
export function apiOrigin(program: "klaviyo" | "hubspot" | "googleAds" | "googleSignIn" | "meta"): string | undefined {
  return env().apiOrigins[program];
}
