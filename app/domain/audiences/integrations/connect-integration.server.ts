import { and, eq, isNotNull, isNull, ne } from "drizzle-orm";
import { requireOpenAccount } from "#app/domain/accounts/require-open-account.server.ts";
import { dataSourceLabels } from "#app/domain/audiences/data-source.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { invalidInput } from "#app/domain/errors.ts";
import { type ConnectionId, newId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { encrypt } from "#app/encryption.server.ts";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import type { NewConnection } from "./connection-payloads.ts";
import { ConnectorError, describeConnectorProblem } from "./connectors/connector.ts";
import { connectionEncryptionContext, createConnector } from "./connectors/open-connector.server.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/** Connects an integration whose credential is tested first. Throws what `testIntegration` throws. */
export async function connectIntegration(ctx: Ctx<PublisherActor>, connection: NewConnection): Promise<void> {
  await testIntegration(ctx, connection);
  await saveIntegration(ctx, connection);
}

/**
 * Tests the credential of an integration. Throws `limit_reached` without the required plan, and `invalid_input` with
 * the integration's error.
 */
export async function testIntegration(ctx: Ctx<PublisherActor>, connection: NewConnection): Promise<void> {
  await requireDirectIntegration(ctx, connection.integration);
  await testConnection(connection);
}

/**
 * Saves a tested connection, which replaces an earlier one. Refreshes that had stopped because the credential failed
 * start again. Throws `invalid_transition` when the account is closed.
 */
export async function saveIntegration(ctx: Ctx<PublisherActor>, connection: NewConnection): Promise<void> {
  const { integration } = connection;
  await inTransaction(ctx, async (tx) => {
    const id = newId<ConnectionId>();
    const publisherId = tx.actor.accountId;
    const now = tx.clock();
    const ofIntegration = and(eq(audiences.publisherId, publisherId), eq(audiences.dataSource, integration));
    // Audiences before their account, as its closing locks them.
    await tx.db
      .select({ id: audiences.id })
      .from(audiences)
      .where(ofIntegration)
      .orderBy(audiences.id)
      .for("no key update");
    await requireOpenAccount(tx, publisherId);
    // The credential is encrypted for the id of its row, so a new connection replaces the whole row.
    const [earlier] = await tx.db
      .delete(audienceConnections)
      .where(and(eq(audienceConnections.publisherId, publisherId), eq(audienceConnections.integration, integration)))
      .returning({ problem: audienceConnections.problem });
    await tx.db.insert(audienceConnections).values({
      id,
      publisherId,
      integration,
      credential: encrypt(JSON.stringify(connection), connectionEncryptionContext({ id, publisherId })),
      checkedAt: now,
      createdAt: now,
      createdBy: tx.actor.userId,
    });
    await tx.db
      .update(audiences)
      .set({ nextRefreshAt: now })
      .where(
        and(
          ofIntegration,
          isNotNull(audiences.remoteListId),
          ne(audiences.status, "archived"),
          ne(audiences.refreshFrequency, "manual"),
          earlier?.problem ? undefined : isNull(audiences.nextRefreshAt),
        ),
      );
    await recordAudit(tx, {
      action: "connection.made",
      entity: "connection",
      entityId: id,
      accountId: publisherId,
      after: { integration },
    });
  });
}

async function testConnection(connection: NewConnection): Promise<void> {
  try {
    await createConnector(connection, { mode: "person" }).listLists();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const message = `${dataSourceLabels[connection.integration]} ${describeConnectorProblem(error.problem)}`;
    throw invalidInput({ [fieldForProblem(connection, error)]: [message] });
  }
}

/** Returns the form field in which the user can correct the problem. */
function fieldForProblem(connection: NewConnection, { problem }: ConnectorError): string {
  switch (connection.integration) {
    case "klaviyo":
      return "api_key";
    case "hubspot":
      return "access_token";
    case "salesforce":
      return problem === "invalid_credentials" || problem === "missing_scope" ? "consumer_key" : "instance_url";
  }
}
