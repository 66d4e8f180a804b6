import { createHash } from "node:crypto";
import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey, jwtVerify } from "jose";
import { z } from "zod";
import { type OidcConfig, requiredProvider } from "#app/domain/accounts/sign-in/oidc-config.ts";
import { type Identity, signInFailed } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { sendOutbound } from "#app/outbound/send-outbound.server.ts";
import { log } from "#app/web/log.server.ts";
import type { IdentityProvider, Tokens } from "./provider-types.ts";

/** How long a provider's endpoints are remembered, in milliseconds. */
const discoveryTtlMs = 3_600_000;
/** When a provider that could not be asked is asked again, in milliseconds. */
const retryDiscoveryMs = 60_000;
const responseBytes = 512 * 1024;
const clockToleranceSeconds = 60;
/** An id_token is exchanged within seconds of its issue. */
const maxTokenAge = "10 minutes";
/** Asymmetric signatures only: with a symmetric one, whoever knows the client's secret could sign. */
const algorithms = ["RS256", "PS256", "ES256"];

const discoverySchema = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  userinfo_endpoint: z.url().optional(),
  authorization_response_iss_parameter_supported: z.boolean().default(false),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(["client_secret_basic"]),
});
type Discovery = z.output<typeof discoverySchema>;
type Known = { discovery: Discovery; keys: JWTVerifyGetKey; until: number };

const known = new Map<string, Promise<Known>>();

/**
 * Returns a provider of OIDC_PROVIDERS. Its endpoints come from its issuer (OpenID Connect Discovery) and are
 * remembered for an hour. Throws when the issuer cannot be reached or describes another one.
 */
export async function openIdProvider(config: OidcConfig): Promise<IdentityProvider> {
  const { discovery, keys } = await findEndpoints(config);
  const methods = discovery.token_endpoint_auth_methods_supported;
  return {
    id: config.id,
    issuer: config.issuer,
    namesIssuer: discovery.authorization_response_iss_parameter_supported,
    authorizationUrl: discovery.authorization_endpoint,
    tokenUrl: discovery.token_endpoint,
    clientId: config.clientId,
    clientSecret: config.clientSecret,
    scope: "openid email profile",
    authorizationParams: {},
    usesBasicAuth: !methods.includes("client_secret_post"),
    send: guardedFetch,
    identify: (tokens) => identify({ config, discovery, keys }, tokens),
  };
}

async function findEndpoints(config: OidcConfig): Promise<Known> {
  const key = JSON.stringify([config.issuer, config.signInOrigin]);
  const remembered = known.get(key);
  const found = await remembered?.catch(() => undefined);
  if (found && found.until > Date.now()) return found;
  // Sign-ins at the same time ask once.
  const current = known.get(key);
  const asked = current && current !== remembered ? current : discover(config);
  known.set(key, asked);
  try {
    return await asked;
  } catch (error) {
    // What it said an hour ago still holds while it cannot be asked.
    const stale = found && { ...found, until: Date.now() + retryDiscoveryMs };
    if (known.get(key) === asked) {
      if (stale) known.set(key, Promise.resolve(stale));
      else known.delete(key);
    }
    if (stale) return stale;
    throw error;
  }
}

async function discover({ issuer, signInOrigin }: OidcConfig): Promise<Known> {
  const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await guardedFetch(url, {});
  if (!response.ok) throw new Error(`The OpenID configuration of ${issuer} responded with ${response.status}`);
  const discovery = discoverySchema.parse(await response.json());
  // OpenID Connect Discovery, 4.3: otherwise another issuer could pass for this one.
  if (discovery.issuer !== issuer) throw new Error(`The OpenID configuration of ${issuer} is of ${discovery.issuer}`);
  const origin = new URL(discovery.authorization_endpoint).origin;
  if (origin !== new URL(signInOrigin ?? issuer).origin)
    throw new Error(`The sign-in page of ${issuer} is at ${origin}: set it as signInOrigin in OIDC_PROVIDERS`);
  const keys = createRemoteJWKSet(new URL(discovery.jwks_uri), { [customFetch]: guardedFetch });
  return { discovery, keys, until: Date.now() + discoveryTtlMs };
}

const claimsSchema = z.object({
  sub: z.string().min(1).max(1_000),
  nonce: z.string(),
  aud: z.union([z.string(), z.array(z.string())]),
  azp: z.string().optional(),
  email: z.string().optional(),
  email_verified: z.boolean().default(false),
  name: z.string().optional(),
  picture: z.string().optional(),
});

/** Verifies the id_token's signature by the provider's keys, and every claim (OpenID Connect Core, 3.1.3.7). */
async function identify(
  { config, discovery, keys }: { config: OidcConfig; discovery: Discovery; keys: JWTVerifyGetKey },
  { accessToken, idToken, nonce, signal }: Tokens,
): Promise<Identity> {
  if (!idToken) throw signInFailed();
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: config.issuer,
    audience: config.clientId,
    algorithms,
    clockTolerance: clockToleranceSeconds,
    maxTokenAge,
    requiredClaims: ["exp", "iat", "sub", "nonce"],
  });
  const claims = claimsSchema.parse(payload);
  const isOnlyAudience = typeof claims.aud === "string" || claims.aud.length === 1;
  if (claims.nonce !== nonce || (claims.azp ?? (isOnlyAudience ? config.clientId : "")) !== config.clientId)
    throw signInFailed();
  const person =
    claims.email === undefined ? await readUserInfo(discovery, { accessToken, sub: claims.sub, signal }) : claims;
  const email = person.email ?? "";
  const ownsEmail = requiredProvider([config], email) !== undefined;
  return {
    subject: subjectAt(config.issuer, claims.sub),
    email,
    emailVerified: person.email_verified || ownsEmail,
    ownsEmail,
    name: person.name,
    picture: person.picture,
  };
}

/** Subjects are unique within an issuer. The hash has a fixed length and equals no subject of Google. */
function subjectAt(issuer: string, sub: string): string {
  return `oidc:${createHash("sha256")
    .update(JSON.stringify([issuer, sub]))
    .digest("base64url")}`;
}

const userInfoSchema = claimsSchema.pick({ sub: true, email: true, email_verified: true, name: true, picture: true });

/** Reads the claims that some providers leave out of the id_token. */
async function readUserInfo(
  { userinfo_endpoint: url }: Discovery,
  { accessToken, sub, signal }: { accessToken: string; sub: string; signal: AbortSignal },
) {
  if (!url) throw signInFailed();
  const response = await guardedFetch(url, { headers: { Authorization: `Bearer ${accessToken}` }, signal });
  if (!response.ok) {
    log.warn(`Failed to fetch user: API responded with HTTP status ${response.status}`);
    throw signInFailed();
  }
  const info = userInfoSchema.parse(await response.json());
  if (info.sub !== sub) throw signInFailed();
  return info;
}

/** Sends a request as all outbound ones: no private addresses, no redirects, within time and size. */
async function guardedFetch(url: string, init: RequestInit): Promise<Response> {
  const { status, body } = await sendOutbound({
    url,
    method: init.method === "POST" ? "POST" : "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    ...(typeof init.body === "string" && { body: init.body }),
    ...(init.signal && { signal: init.signal }),
    bytes: responseBytes,
  });
  return new Response(status === 204 || status === 304 ? null : new Uint8Array(body), { status });
}
