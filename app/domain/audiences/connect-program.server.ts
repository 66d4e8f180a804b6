import { and, eq, isNotNull, isNull, ne } from "drizzle-orm";
import { seal } from "#app/sealed.server.ts";
import { audienceConnections, audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { invalidInput } from "../errors.ts";
import { type ConnectionId, newId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import type { NewConnection } from "./connection-payloads.ts";
import { ConnectorError, wordsOfProblem } from "./connectors/connector.ts";
import { connectorOf, placeOf } from "./connectors/open-connector.server.ts";
import { dataSourceLabels } from "./data-source.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/**
 * Connects a program with a credential that was tried first, in place of an earlier one; refreshes that had stopped for the
 * want of it begin again. Throws `limit_reached` without
 * the plan, and `invalid_input` with what the program said.
 */
export async function connectProgram(ctx: Ctx<PublisherActor>, connection: NewConnection): Promise<void> {
  const { program } = connection;
  await requireDirectIntegration(ctx, program);
  await tryOut(connection);
  await inTransaction(ctx, async (tx) => {
    const id = newId<ConnectionId>();
    const publisherId = tx.actor.accountId;
    const now = tx.clock();
    // Sealed for its row's id: an earlier row goes with its id.
    const [earlier] = await tx.db
      .delete(audienceConnections)
      .where(and(eq(audienceConnections.publisherId, publisherId), eq(audienceConnections.program, program)))
      .returning({ problem: audienceConnections.problem });
    await tx.db.insert(audienceConnections).values({
      id,
      publisherId,
      program,
      credential: seal(JSON.stringify(connection), placeOf({ id, publisherId })),
      checkedAt: now,
      createdAt: now,
      createdBy: tx.actor.userId,
    });
    await tx.db
      .update(audiences)
      .set({ nextRefreshAt: now })
      .where(
        and(
          eq(audiences.publisherId, publisherId),
          eq(audiences.dataSource, program),
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
      after: { program },
    });
  });
}

async function tryOut(connection: NewConnection): Promise<void> {
  try {
    await connectorOf(connection, { waiting: "person" }).listLists();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const message = `${dataSourceLabels[connection.program]} ${wordsOfProblem(error.problem)}`;
    throw invalidInput({ [fieldOf(connection, error)]: [message] });
  }
}

/** The field that the person can mend it in. */
function fieldOf(connection: NewConnection, { problem }: ConnectorError): string {
  switch (connection.program) {
    case "klaviyo":
      return "api_key";
    case "hubspot":
      return "access_token";
    case "salesforce":
      return problem === "refused" || problem === "not_allowed" ? "consumer_key" : "instance_url";
  }
}
