import { and, eq } from "drizzle-orm";
import type { PullIntegration } from "#app/domain/audiences/data-source.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AccountId, ConnectionId } from "#app/domain/ids.ts";
import { DecryptionError, decrypt } from "#app/encryption.server.ts";
import { apiOrigin } from "#app/outbound/api-origin.server.ts";
import { audienceConnections } from "#db/schema/index.ts";
import { connectionSchema, type NewConnection } from "../connection-payloads.ts";
import { type Connector, ConnectorError, consentColumns } from "./connector.ts";
import { hubspot } from "./hubspot.server.ts";
import { klaviyo } from "./klaviyo.server.ts";
import { salesforce } from "./salesforce.server.ts";

/**
 * While a person waits for the page, all attempts of a request together have four seconds; a refresh has no such limit.
 */
const interactiveRetryPolicy = { maxAttempts: 2, maxDelayMs: 1_000, deadlineMs: 4_000 };

type ConnectorOptions = { mode: "person" | "job" };

/** Creates the client for a credential that may not be stored yet. */
export function createConnector(connection: NewConnection, { mode }: ConnectorOptions): Connector {
  const retryPolicy = mode === "person" ? interactiveRetryPolicy : {};
  switch (connection.integration) {
    case "klaviyo":
      return klaviyo({ apiKey: connection.api_key }, { origin: apiOrigin("klaviyo"), retryPolicy });
    case "hubspot":
      return hubspot({ accessToken: connection.access_token }, { origin: apiOrigin("hubspot"), retryPolicy });
    case "salesforce": {
      const { instance_url: instanceUrl, consumer_key: consumerKey, consumer_secret: consumerSecret } = connection;
      return salesforce({ instanceUrl, consumerKey, consumerSecret }, { retryPolicy });
    }
  }
}

/**
 * Opens the publisher's connection to an integration; returns undefined when it is not connected. The outcome of each
 * request is recorded on the connection, so that its status is shown. Throws a ConnectorError.
 */
export async function openConnector(
  ctx: Ctx<PublisherActor>,
  integration: PullIntegration,
  options: ConnectorOptions,
): Promise<Connector | undefined> {
  const [row] = await ctx.db
    .select()
    .from(audienceConnections)
    .where(
      and(eq(audienceConnections.publisherId, ctx.actor.accountId), eq(audienceConnections.integration, integration)),
    );
  if (!row) return undefined;
  let isRecordedHealthy = false;
  const recordingOutcome = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await work();
      // A success is recorded only once, because a list has thousands of pages.
      if (!isRecordedHealthy) await recordOutcome(ctx, row.id, null);
      isRecordedHealthy = true;
      return result;
    } catch (error) {
      // A missing list is a problem of the audience, not of the connection.
      if (error instanceof ConnectorError && error.problem !== "list_not_found")
        await recordOutcome(ctx, row.id, error.problem);
      throw error;
    }
  };
  let opened: Connector | undefined;
  const connector = () => {
    opened ??= createConnector(decryptCredential(row), options);
    return opened;
  };
  return {
    consentColumns: consentColumns[integration],
    listLists: () => recordingOutcome(async () => connector().listLists()),
    readPage: (list, cursor) => recordingOutcome(async () => connector().readPage(list, cursor)),
  };
}

type Row = { id: ConnectionId; publisherId: AccountId; credential: Buffer };

function decryptCredential(row: Row): NewConnection {
  try {
    const stored = connectionSchema.safeParse(JSON.parse(decrypt(row.credential, connectionEncryptionContext(row))));
    if (stored.success) return stored.data;
    // The credential was stored in an older format.
    throw new ConnectorError("cannot_decrypt");
  } catch (error) {
    if (error instanceof DecryptionError) throw new ConnectorError("cannot_decrypt");
    throw error;
  }
}

/** The encryption context of a credential (GCM additional data): ciphertext copied to another row does not decrypt. */
export function connectionEncryptionContext({ id, publisherId }: { id: ConnectionId; publisherId: AccountId }): string {
  return `audience_connections/${publisherId}/${id}`;
}

async function recordOutcome(ctx: Ctx, id: ConnectionId, problem: ConnectorError["problem"] | null): Promise<void> {
  await ctx.db
    .update(audienceConnections)
    .set({ problem, checkedAt: ctx.clock() })
    .where(eq(audienceConnections.id, id));
}
