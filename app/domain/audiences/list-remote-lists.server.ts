import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { ConnectorError, type RemoteList, wordsOfProblem } from "./connectors/connector.ts";
import { openConnector } from "./connectors/open-connector.server.ts";
import { dataSourceLabels, type Program } from "./data-source.ts";

/**
 * The lists that a connected program has at this moment, by name. Throws `invalid_transition` when it is not connected, or
 * with what the program did instead.
 */
export async function listRemoteLists(ctx: Ctx<PublisherActor>, program: Program): Promise<RemoteList[]> {
  const name = dataSourceLabels[program];
  try {
    const connector = await openConnector(ctx, program, { waiting: "person" });
    if (!connector) throw new DomainError("invalid_transition", `${name} is not connected`);
    return await connector.listLists();
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    throw new DomainError("invalid_transition", `${name} ${wordsOfProblem(error.problem)}`);
  }
}
