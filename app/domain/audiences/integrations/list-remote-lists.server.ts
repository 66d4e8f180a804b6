import { dataSourceLabels, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { ConnectorError, describeConnectorProblem, type RemoteList } from "./connectors/connector.ts";
import { openConnector } from "./connectors/open-connector.server.ts";

/**
 * Fetches the current lists of a connected integration, sorted by name. Throws `invalid_transition` when it is not
 * connected or when the request fails.
 */
export async function listRemoteLists(ctx: Ctx<PublisherActor>, integration: PullIntegration): Promise<RemoteList[]> {
  const name = dataSourceLabels[integration];
  try {
    const connector = await openConnector(ctx, integration, { mode: "person" });
    if (!connector)
      throw new DomainError("invalid_transition", `${name} is not connected. Connect it under Integrations.`);
    return await connector.listLists();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const problem = `${name} ${describeConnectorProblem(error.problem)}`;
    throw new DomainError("invalid_transition", `${problem}. Check the connection under Integrations, then try again.`);
  }
}
