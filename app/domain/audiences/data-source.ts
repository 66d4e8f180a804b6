import type { dataSources } from "./audience.ts";

/** Where an audience's people come from. Pure. */
export type DataSource = (typeof dataSources)[number];

/** The programs a publisher's data can lie in (specification, section 3). */
export const connectors = ["salesforce", "hubspot", "klaviyo", "segment"] as const;
/** Those of them that are asked by us; Segment sends to us instead. */
export const programs = ["salesforce", "hubspot", "klaviyo"] as const;
export type Program = (typeof programs)[number];
/** Those that are announced; nobody can choose them yet. */
export const comingConnectors = ["Adobe", "Google Analytics"] as const;

export const dataSourceLabels: Record<DataSource, string> = {
  file: "File upload",
  api: "API integration",
  salesforce: "Salesforce",
  hubspot: "HubSpot",
  klaviyo: "Klaviyo",
  segment: "Segment",
};

/** Whether its people are fetched by us. */
export function isProgram(source: DataSource): source is Program {
  const asked: readonly DataSource[] = programs;
  return asked.includes(source);
}

/** Whether it is a direct integration with another program. */
export function isConnector(source: DataSource): boolean {
  const direct: readonly DataSource[] = connectors;
  return direct.includes(source);
}
