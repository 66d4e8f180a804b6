import { deriveKey } from "#app/derive-key.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { env, isLoopback } from "#app/env.server.ts";
import { log } from "#app/web/log.server.ts";
import { identifyByUserInfo } from "./google-identity.server.ts";
import { openIdProvider } from "./openid-provider.server.ts";
import type { IdentityProvider } from "./provider-types.ts";

/** The id of Google, and of the stand-in for it. */
export const googleId = "google";

/** Returns the provider with this id; undefined when there is none. Throws `unavailable` when it cannot be reached. */
export async function findIdentityProvider(id: string): Promise<IdentityProvider | undefined> {
  if (id === googleId) return googleProvider();
  const configured = env().oidcProviders.find((one) => one.id === id);
  if (!configured) return undefined;
  try {
    return await openIdProvider(configured);
  } catch (error) {
    log.warn("identity provider unavailable", { code: id, error });
    throw new DomainError("unavailable", `${configured.name} can't be reached. Try again in a minute.`);
  }
}

/** Returns Google or the stand-in for it; undefined when this server has neither. */
function googleProvider(): IdentityProvider | undefined {
  const { google, hasStandIn } = env();
  if (!google && !hasStandIn) return undefined;
  return googleFrom(google ? { ...googleUrls, ...google } : standInEndpoints());
}

type GoogleEndpoints = {
  authorizationUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  /** The accepted values of an id_token's `iss`. */
  issuers: string[];
  clientId: string;
  clientSecret: string;
};

/** Google's way: its own parameters, and the person from the userinfo endpoint. */
export function googleFrom({ userInfoUrl, issuers, ...client }: GoogleEndpoints): IdentityProvider {
  return {
    id: googleId,
    ...client,
    scope: googleScope,
    authorizationParams: { access_type: "online", include_granted_scopes: "false" },
    usesBasicAuth: false,
    send: (url, init) => fetch(url, init),
    identify: (tokens) => identifyByUserInfo({ userInfoUrl, issuers, clientId: client.clientId }, tokens),
  };
}

const googleScope = [
  "openid",
  "https://www.googleapis.com/auth/userinfo.profile",
  "https://www.googleapis.com/auth/userinfo.email",
].join(" ");

const googleUrls = {
  authorizationUrl: "https://accounts.google.com/o/oauth2/v2/auth",
  tokenUrl: "https://oauth2.googleapis.com/token",
  userInfoUrl: "https://openidconnect.googleapis.com/v1/userinfo",
  issuers: ["https://accounts.google.com", "accounts.google.com"],
};

/** The browser reaches the stand-in by `PUBLIC_URL`; the server itself by the address it listens on. */
export function standInEndpoints(): GoogleEndpoints {
  const [secret = ""] = env().sessionSecrets;
  return {
    authorizationUrl: "/dev/google/authorize",
    tokenUrl: `${listeningOrigin()}/dev/google/token`,
    userInfoUrl: `${listeningOrigin()}/dev/google/userinfo`,
    issuers: [standInIssuer],
    clientId: "stand-in-client",
    clientSecret: deriveKey(secret, "stand-in client").toString("base64url"),
  };
}

export const standInIssuer = "urn:stand-in-identity-provider";

function listeningOrigin(): string {
  const { host, port } = env();
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/**
 * Returns the origin to sign in at: `PUBLIC_URL`, regardless of Host. If that is this machine, its other names with the
 * same port are accepted too (with the stand-in), since a cookie of `127.0.0.1` is not sent to `localhost`.
 */
export function signInOrigin(request: Request): string {
  const { publicUrl, google } = env();
  const publicOrigin = new URL(publicUrl);
  const requestUrl = new URL(request.url);
  const otherName =
    isLoopback(publicUrl) && isLoopback(requestUrl.origin) && requestUrl.port === publicOrigin.port && !google;
  return otherName && requestUrl.protocol === publicOrigin.protocol ? requestUrl.origin : publicUrl;
}

export function callbackUrl(origin: string): string {
  return `${origin}/auth/callback`;
}
