import { env } from "#app/env.server.ts";
import { keptSecret } from "#app/kept-secret.server.ts";
import type { DatabaseRoles } from "./grant-server-role.server.ts";

/** The roles of an external database: the server's is its own where the environment names an owner beside it. */
export function externalRoles(databaseUrl: string): DatabaseRoles {
  return { ownerUrl: env().databaseOwnerUrl ?? databaseUrl, serverUrl: databaseUrl, makesRole: false };
}

/** The roles of the embedded database, whose URL is its owner's. */
export function embeddedRoles(ownerUrl: string): DatabaseRoles {
  const url = new URL(ownerUrl);
  url.username = "endcap_server";
  url.password = keptSecret(env().dataDir, "postgres-server-password");
  return { ownerUrl, serverUrl: url.href, makesRole: true };
}
