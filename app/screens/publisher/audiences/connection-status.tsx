import {
  type ConnectorProblem,
  describeConnectorProblem,
} from "#app/domain/audiences/integrations/connectors/connector.ts";
import { Badge } from "#app/ui/badge.tsx";

type State = { problem: ConnectorProblem | null } | undefined;

/** The connection's status after the last request. */
export function ConnectionBadge({ connection }: { connection: State }) {
  if (!connection) return <Badge>Not connected</Badge>;
  return connection.problem ? <Badge tone="bad">Needs attention</Badge> : <Badge tone="good">Connected</Badge>;
}

export function describeConnection(name: string, connection: State): string {
  if (!connection) return `Connect ${name} to import audiences from its lists, manually or on a schedule.`;
  if (connection.problem) return `${name} ${describeConnectorProblem(connection.problem)}.`;
  return `Connected. You can build audiences from ${name} lists.`;
}
