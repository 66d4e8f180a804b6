import { and, eq } from "drizzle-orm";
import { apiOrigin } from "#app/outbound/api-origin.server.ts";
import { SealError, unseal } from "#app/sealed.server.ts";
import { audienceConnections } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../../context.ts";
import type { AccountId, ConnectionId } from "../../ids.ts";
import { connectionSchema, type NewConnection } from "../connection-payloads.ts";
import type { Program } from "../data-source.ts";
import { type Connector, ConnectorError } from "./connector.ts";
import { hubspot } from "./hubspot.server.ts";
import { klaviyo } from "./klaviyo.server.ts";
import { salesforce } from "./salesforce.server.ts";

/** While a person waits for the page, a request has four seconds in all; a refresh has time. */
const hurry = { tries: 2, longestPause: 1_000, within: 4_000 };

type Haste = { waiting: "person" | "job" };

/** The way into a program with a credential that may not be stored yet. */
export function connectorOf(connection: NewConnection, { waiting }: Haste): Connector {
  const patience = waiting === "person" ? hurry : {};
  switch (connection.program) {
    case "klaviyo":
      return klaviyo({ apiKey: connection.api_key }, { origin: apiOrigin("klaviyo"), patience });
    case "hubspot":
      return hubspot({ accessToken: connection.access_token }, { origin: apiOrigin("hubspot"), patience });
    case "salesforce": {
      const { instance_url: instanceUrl, consumer_key: consumerKey, consumer_secret: consumerSecret } = connection;
      return salesforce({ instanceUrl, consumerKey, consumerSecret }, { patience });
    }
  }
}

/**
 * The publisher's own way into a program; undefined when it has none. What comes of each request is kept on the
 * connection, so that its state is shown as it is. Throws a ConnectorError.
 */
export async function openConnector(
  ctx: Ctx<PublisherActor>,
  program: Program,
  haste: Haste,
): Promise<Connector | undefined> {
  const [row] = await ctx.db
    .select()
    .from(audienceConnections)
    .where(and(eq(audienceConnections.publisherId, ctx.actor.accountId), eq(audienceConnections.program, program)));
  if (!row) return undefined;
  let well = false;
  const noting = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const made = await work();
      // Once is enough: a list has thousands of pages.
      if (!well) await note(ctx, row.id, null);
      well = true;
      return made;
    } catch (error) {
      // A list that is gone is the audience's matter.
      if (error instanceof ConnectorError && error.problem !== "unknown_list") await note(ctx, row.id, error.problem);
      throw error;
    }
  };
  let opened: Connector | undefined;
  const connector = () => {
    opened ??= connectorOf(read(row), haste);
    return opened;
  };
  return {
    listLists: () => noting(async () => connector().listLists()),
    readPage: (list, cursor) => noting(async () => connector().readPage(list, cursor)),
  };
}

type Row = { id: ConnectionId; publisherId: AccountId; credential: Buffer };

function read(row: Row): NewConnection {
  try {
    const stored = connectionSchema.safeParse(JSON.parse(unseal(row.credential, placeOf(row))));
    if (stored.success) return stored.data;
    // As an earlier version of ours stored it.
    throw new ConnectorError("sealed");
  } catch (error) {
    if (error instanceof SealError) throw new ConnectorError("sealed");
    throw error;
  }
}

/** Where a credential is sealed for: a copy in another row cannot be opened. */
export function placeOf({ id, publisherId }: { id: ConnectionId; publisherId: AccountId }): string {
  return `audience_connections/${publisherId}/${id}`;
}

async function note(ctx: Ctx, id: ConnectionId, problem: ConnectorError["problem"] | null): Promise<void> {
  await ctx.db
    .update(audienceConnections)
    .set({ problem, checkedAt: ctx.clock() })
    .where(eq(audienceConnections.id, id));
}
