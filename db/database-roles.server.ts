import { env } from "#app/env.server.ts";
import { persistentSecret } from "#app/persistent-secret.server.ts";
import { type OpenOptions, openDatabase } from "./client.server.ts";
import {
  directConnection,
  findConnectionTraits,
  requireDirectConnection,
  waitForDatabase,
} from "./connection-traits.server.ts";
import type { DatabaseRoles } from "./grant-server-role.server.ts";
import { openReplica, type ReplicaOptions } from "./replica/replica.server.ts";

/** The roles of an external database: with a separate owner in the environment, the server's role is its own. */
export function externalRoles(databaseUrl: string): DatabaseRoles {
  const { databaseOwnerUrl, directDatabaseUrl } = env();
  const serverUrl = directDatabaseUrl ?? databaseUrl;
  return { ownerUrl: databaseOwnerUrl ?? serverUrl, serverUrl, poolUrl: databaseUrl, makesRole: false };
}

/** The roles of the embedded database, whose URL is its owner's. */
export function embeddedRoles(ownerUrl: string): DatabaseRoles {
  const url = new URL(ownerUrl);
  url.username = "endcap_server";
  url.password = persistentSecret(env().dataDir, "postgres-server-password");
  return { ownerUrl, serverUrl: url.href, poolUrl: url.href, makesRole: true };
}

/**
 * Waits for an external database that is still starting or a standby, and rejects one whose connections cannot serve: a
 * StartupError names the setting. Call it before the migrations.
 */
export async function awaitDatabase(roles: DatabaseRoles): Promise<void> {
  if (roles.makesRole) return;
  await waitForDatabase(roles.ownerUrl, { seconds: env().databaseWaitSeconds, setting: ownerSetting() });
  await requireSessions(roles);
}

/**
 * Rejects an external database whose connections are shared by transaction: the lock of the migrations would stay in a
 * session of the pool. A StartupError names the setting.
 */
export async function requireSessions({ ownerUrl, serverUrl, makesRole }: DatabaseRoles): Promise<void> {
  if (makesRole) return;
  await requireDirectConnection(ownerUrl, ownerSetting());
  if (serverUrl !== ownerUrl) await requireDirectConnection(serverUrl, "DATABASE_URL");
}

function ownerSetting(): string {
  return env().databaseOwnerUrl ? "DATABASE_OWNER_URL" : "DATABASE_URL";
}

/** Opens the process's pool for the server's role, in the way that its connections allow. */
export async function openServerDatabase(
  { poolUrl, serverUrl, makesRole }: DatabaseRoles,
  observing: Pick<OpenOptions, "onIncident" | "observeQuery">,
) {
  const { databasePrepare: prepare } = env();
  const traits = makesRole
    ? directConnection
    : await findConnectionTraits(poolUrl, { prepare, hasSessions: poolUrl === serverUrl });
  return openDatabase({ url: poolUrl, traits, ...observing });
}

/** Opens the replica that the environment names, if it names one, beside the process's pool. */
export async function openServerReplica(
  observing: Pick<ReplicaOptions, "onIncident" | "observeQuery" | "onRead" | "onState">,
): Promise<void> {
  const { databaseReplicaUrl: url, databaseReplicaMaxLagSeconds, databasePrepare: prepare } = env();
  if (url) await openReplica({ url, maxLagMs: databaseReplicaMaxLagSeconds * 1_000, prepare, ...observing });
}
