import { pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type PullIntegration, pullIntegrations } from "#app/domain/audiences/data-source.ts";
import { type ConnectorProblem, connectorProblems } from "#app/domain/audiences/integrations/connectors/connector.ts";
import type { AccountId, ConnectionId, UserId } from "#app/domain/ids.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "#db/columns.ts";
import { accounts, users } from "./accounts.ts";

/**
 * A publisher's connection to an integration, at most one for each. The credential is encrypted for this row
 * (docs/decisions/0013); `problem` is the outcome of the last request, null when it succeeded.
 */
export const audienceConnections = pgTable(
  "audience_connections",
  {
    id: primaryId<ConnectionId>(),
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    integration: text("integration").$type<PullIntegration>().notNull(),
    credential: bytes("credential").notNull(),
    problem: text("problem").$type<ConnectorProblem>(),
    checkedAt: instant("checked_at").notNull(),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    unique("audience_connections_one_each").on(table.publisherId, table.integration),
    oneOf("audience_connections_integration", table.integration, pullIntegrations),
    oneOf("audience_connections_problem", table.problem, connectorProblems),
  ],
);
