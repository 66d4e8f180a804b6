import { pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { type ConnectorProblem, connectorProblemNames } from "#app/domain/audiences/connectors/connector.ts";
import { type Program, programs } from "#app/domain/audiences/data-source.ts";
import type { AccountId, ConnectionId, UserId } from "#app/domain/ids.ts";
import { accounts, users } from "./accounts.ts";
import { bytes, createdAt, instant, oneOf, primaryId } from "./columns.ts";

/**
 * A publisher's way into a program of its own, one for each. The credential is sealed for this row
 * (docs/decisions/0013); `problem` is what came of the last request, null when it went well.
 */
export const audienceConnections = pgTable(
  "audience_connections",
  {
    id: primaryId<ConnectionId>(),
    publisherId: uuid("publisher_id")
      .$type<AccountId>()
      .notNull()
      .references(() => accounts.id),
    program: text("program").$type<Program>().notNull(),
    credential: bytes("credential").notNull(),
    problem: text("problem").$type<ConnectorProblem>(),
    checkedAt: instant("checked_at").notNull(),
    createdAt: createdAt(),
    createdBy: uuid("created_by")
      .$type<UserId>()
      .references(() => users.id),
  },
  (table) => [
    unique("audience_connections_one_each").on(table.publisherId, table.program),
    oneOf("audience_connections_program", table.program, programs),
    oneOf("audience_connections_problem", table.problem, connectorProblemNames),
  ],
);
