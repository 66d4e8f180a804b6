import { z } from "zod";
import { audienceStatuses, dataSources, refreshFrequencies, segments } from "#app/domain/audiences/audience.ts";
import type { Audience, OfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { dollarsOrNull, timeOrNull, wire } from "./wire.ts";

/** An audience as an advertiser sees it, and with all that its publisher knows of it. */
export const offeredAudienceSchema = z.object({
  id: wire.id,
  name: z.string(),
  description: z.string().nullable(),
  segment: z.enum(segments),
  publisher_name: z.string(),
  estimated_size: wire.count.describe("Exact for its publisher; for advertisers the lower end of its published size"),
  cpm_rate: wire.dollars.nullable(),
  status: z.enum(audienceStatuses),
});

export const ownAudienceSchema = offeredAudienceSchema.extend({
  estimated_size: wire.count.nullable().describe("As its publisher typed it"),
  size: wire.count.describe("Distinct people, exact"),
  data_source: z.enum(dataSources),
  refresh_frequency: z.enum(refreshFrequencies),
  remote_list: z.string().nullable().describe("The list of its program that its people are fetched from"),
  next_refresh_at: wire.time.nullable(),
  default_country: z.string().nullable().describe("ISO code: how phones without a country are read"),
  version: wire.count.describe("Grows with each change of its people"),
  created_at: wire.time,
  refreshed_at: wire.time.nullable(),
  archived_at: wire.time.nullable(),
});

export function offeredAudienceJson(audience: OfferedAudience): z.output<typeof offeredAudienceSchema> {
  return {
    id: audience.id,
    name: audience.name,
    description: audience.description,
    segment: audience.segment,
    publisher_name: audience.publisherName,
    estimated_size: audience.estimatedSize,
    cpm_rate: dollarsOrNull(audience.cpmCents),
    status: audience.status,
  };
}

export function ownAudienceJson(audience: Audience): z.output<typeof ownAudienceSchema> {
  return {
    id: audience.id,
    name: audience.name,
    description: audience.description,
    segment: audience.segment,
    publisher_name: audience.publisherName,
    estimated_size: audience.estimatedSize,
    cpm_rate: dollarsOrNull(audience.cpmCents),
    status: audience.status,
    size: audience.size,
    data_source: audience.dataSource,
    refresh_frequency: audience.refreshFrequency,
    remote_list: audience.remoteListName,
    next_refresh_at: timeOrNull(audience.nextRefreshAt),
    default_country: audience.defaultCountry,
    version: audience.version,
    created_at: audience.createdAt.toISOString(),
    refreshed_at: timeOrNull(audience.refreshedAt),
    archived_at: timeOrNull(audience.archivedAt),
  };
}
