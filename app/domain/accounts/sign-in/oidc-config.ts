import { z } from "zod";

/** A provider of OIDC_PROVIDERS. Pure. */
export type OidcConfig = z.output<typeof oidcConfigSchema>;

const domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/, "must be a domain such as example.com");

/** An https URL without query, or http on this machine for tests. */
const issuerUrl = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? "");
  return isSafe && url?.search === "" && url.hash === "" && url.username === "";
}, "must be an https URL without a query");

const oidcConfigSchema = z.strictObject({
  /** In links and in the database; it never changes. */
  id: z
    .string()
    .regex(/^[a-z0-9-]{1,32}$/, "must be up to 32 small letters, digits and dashes")
    .refine((id) => id !== "google", "must not be google"),
  /** On the button. */
  name: z.string().min(1).max(60),
  issuer: issuerUrl,
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  /** The origin of its sign-in page, where that is not the issuer's. */
  signInOrigin: issuerUrl.optional(),
  /** The email domains whose people have to use it, and whose addresses it may vouch for. */
  domains: z.array(domain).default([]),
});

/** OIDC_PROVIDERS: a JSON list. No two providers have the same id, issuer or domain. */
export const oidcProvidersSchema = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue({ code: "custom", message: "must be a JSON list" });
      return z.NEVER;
    }
  })
  .pipe(z.array(oidcConfigSchema).max(20))
  .refine((list) => isDistinct(list.map(({ id }) => id)), "must not have two providers with the same id")
  .refine((list) => isDistinct(list.map(({ issuer }) => issuer)), "must not have two providers with the same issuer")
  .refine((list) => isDistinct(list.flatMap(({ domains }) => domains)), "must not have a domain in two providers");

function isDistinct(values: readonly string[]): boolean {
  return new Set(values).size === values.length;
}

/** Returns the provider that people with this email address have to use; undefined if there is none. */
export function requiredProvider(providers: readonly OidcConfig[], email: string): OidcConfig | undefined {
  const at = email.lastIndexOf("@");
  const asked = email
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return at < 0 ? undefined : providers.find(({ domains }) => domains.includes(asked));
}
