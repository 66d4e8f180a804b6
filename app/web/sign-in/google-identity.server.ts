import { z } from "zod";
import { type Identity, signInFailed } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { log } from "#app/web/log.server.ts";
import type { Tokens } from "./provider-types.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const userInfoSchema = z.object({
  sub: z.string().min(1),
  email: z.string(),
  /** Google sends a boolean; other truthy values are rejected. */
  email_verified: z.boolean().default(false),
  name: text,
  picture: text,
});

const idTokenSchema = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()])]).transform((aud) => String(aud)),
  exp: z.number(),
  sub: z.string(),
  nonce: z.string(),
});

type Client = { userInfoUrl: string; issuers: readonly string[]; clientId: string };

/**
 * Identifies a person at Google by its userinfo endpoint. The id_token came from Google over a direct connection, so
 * its claims are validated and its signature need not be (OpenID Connect Core, 3.1.3.7).
 */
export async function identifyByUserInfo(
  { userInfoUrl, issuers, clientId }: Client,
  { accessToken, idToken = "", nonce, signal }: Tokens,
): Promise<Identity> {
  const response = await fetch(userInfoUrl, {
    headers: { Authorization: `Bearer ${accessToken}` },
    redirect: "error",
    signal,
  });
  if (!response.ok) {
    log.warn(`Failed to fetch user: API responded with HTTP status ${response.status}`);
    throw signInFailed();
  }
  const { sub, email, email_verified: emailVerified, name, picture } = userInfoSchema.parse(await response.json());
  const claims = idTokenSchema.parse(
    JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString("utf8")),
  );
  const good =
    issuers.includes(claims.iss) &&
    claims.aud === clientId &&
    claims.exp * 1000 > Date.now() &&
    claims.nonce === nonce &&
    claims.sub === sub;
  if (!good) throw signInFailed();
  return { subject: sub, email, emailVerified, name, picture };
}
