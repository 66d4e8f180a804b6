import type { dataSources } from "./audience.ts";

/** The data sources of audiences. Pure. */
export type DataSource = (typeof dataSources)[number];

/** The customer platforms that an audience can be connected to directly. */
export const directIntegrations = ["salesforce", "hubspot", "klaviyo", "segment"] as const;
/** The direct integrations that Endcap fetches people from. Segment is not one of them because it pushes events. */
export const pullIntegrations = ["salesforce", "hubspot", "klaviyo"] as const;
export type PullIntegration = (typeof pullIntegrations)[number];
/** Integrations that are announced and cannot be selected yet. */
export const upcomingIntegrations = ["Adobe", "Google Analytics"] as const;

export const dataSourceLabels: Record<DataSource, string> = {
  file: "File upload",
  api: "API integration",
  salesforce: "Salesforce",
  hubspot: "HubSpot",
  klaviyo: "Klaviyo",
  segment: "Segment",
};

/** Returns whether Endcap fetches the source's people itself. */
export function isPullIntegration(source: DataSource): source is PullIntegration {
  const pulled: readonly DataSource[] = pullIntegrations;
  return pulled.includes(source);
}

/** Returns whether the source is a direct integration with another platform. */
export function isDirectIntegration(source: DataSource): boolean {
  const direct: readonly DataSource[] = directIntegrations;
  return direct.includes(source);
}
