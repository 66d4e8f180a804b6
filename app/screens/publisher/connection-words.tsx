import { type ConnectorProblem, wordsOfProblem } from "#app/domain/audiences/connectors/connector.ts";
import { Badge } from "#app/ui/badge.tsx";

type State = { problem: ConnectorProblem | null } | undefined;

/** The state as the last request left it. */
export function ConnectionBadge({ connection }: { connection: State }) {
  if (!connection) return <Badge>Not connected</Badge>;
  return connection.problem ? <Badge tone="bad">Needs attention</Badge> : <Badge tone="good">Connected</Badge>;
}

export function sentenceOfConnection(name: string, connection: State): string {
  if (!connection) return `Connect ${name} to fetch audiences from its lists, by hand or on schedule.`;
  if (connection.problem) return `${name} ${wordsOfProblem(connection.problem)}.`;
  return `Audiences can be fetched from the lists of ${name}.`;
}
