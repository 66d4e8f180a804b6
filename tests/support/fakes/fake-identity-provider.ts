import { randomUUID } from "node:crypto";
import { type MutableToken, OAuth2Server } from "oauth2-mock-server";

/** Starts an OpenID provider at which each sign-in is a new person with an address of `domain`. */
export async function startIdentityProvider(domain: string) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "127.0.0.1");
  server.service.on("beforeTokenSigning", ({ payload }: MutableToken) => {
    const sub = randomUUID();
    Object.assign(payload, { sub, email: `${sub}@${domain}`, name: "Jo Newcomer" });
  });
  return { issuer: server.issuer.url ?? "", stop: () => server.stop() };
}
