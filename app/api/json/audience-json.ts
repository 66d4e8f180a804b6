import { z } from "zod";
import { dollarsOrNull, timeOrNull, wire } from "#app/api/wire.ts";
import { audienceStatuses, dataSources, refreshFrequencies, segments } from "#app/domain/audiences/audience.ts";
import { consentStatuses } from "#app/domain/audiences/consent/audience-consent.ts";
import type { Audience, OfferedAudience } from "#app/domain/audiences/get-audience.server.ts";

/** An audience as an advertiser sees it, and with the fields that only its publisher sees. */
export const offeredAudienceSchema = z.object({
  id: wire.id,
  name: z.string(),
  description: z.string().nullable(),
  segment: z.enum(segments),
  publisher_name: z.string(),
  estimated_size: wire.count.describe("Exact for the owning publisher; for advertisers the lower end of a range"),
  cpm_rate: wire.dollars.nullable(),
  status: z.enum(audienceStatuses),
});

/** In the list, a publisher's audience has its exact size under the name that a single one has it under, too. */
export const listedAudienceSchema = offeredAudienceSchema.extend({
  size: wire.count.optional().describe("Exact number of distinct people. Publishers only."),
});

export const ownAudienceSchema = offeredAudienceSchema.extend({
  estimated_size: wire.count.nullable().describe("As entered by the publisher"),
  size: wire.count.describe("Exact number of distinct people"),
  data_source: z.enum(dataSources),
  refresh_frequency: z.enum(refreshFrequencies),
  remote_list: z.string().nullable().describe("The integration list the audience is refreshed from"),
  next_refresh_at: wire.time.nullable(),
  default_country: z.string().nullable().describe("ISO country code used for phone numbers without one"),
  ad_user_data_consent: z
    .enum(consentStatuses)
    .describe("Whether the people in the EEA, the UK and Switzerland consented to the use of their data for ads"),
  ad_personalization_consent: z.enum(consentStatuses).describe("Whether they consented to ads personalized for them"),
  consent_stated_at: wire.time.nullable().describe("When this was last changed; null while it was never stated"),
  consent_stated_by: z.string().nullable().describe("The user, or the name of the API key, that stated it"),
  version: wire.count.describe("Increases with each change to the audience's people"),
  created_at: wire.time,
  refreshed_at: wire.time.nullable(),
  archived_at: wire.time.nullable(),
});

export function offeredAudienceJson(audience: CommonFields<number>): z.output<typeof offeredAudienceSchema> {
  return commonJson(audience);
}

export function listedAudienceJson(
  audience: CommonFields<number>,
  { isOwn }: { isOwn: boolean },
): z.output<typeof listedAudienceSchema> {
  return { ...commonJson(audience), ...(isOwn && { size: audience.estimatedSize }) };
}

export function ownAudienceJson(audience: Audience): z.output<typeof ownAudienceSchema> {
  return {
    ...commonJson(audience),
    size: audience.size,
    data_source: audience.dataSource,
    refresh_frequency: audience.refreshFrequency,
    remote_list: audience.remoteListName,
    next_refresh_at: timeOrNull(audience.nextRefreshAt),
    default_country: audience.defaultCountry,
    ad_user_data_consent: audience.adUserDataConsent,
    ad_personalization_consent: audience.adPersonalizationConsent,
    consent_stated_at: timeOrNull(audience.consentStatedAt),
    consent_stated_by: audience.consentStatedBy ?? audience.consentStatedByKey,
    version: audience.version,
    created_at: audience.createdAt.toISOString(),
    refreshed_at: timeOrNull(audience.refreshedAt),
    archived_at: timeOrNull(audience.archivedAt),
  };
}

type CommonFields<Size> = Omit<OfferedAudience, "estimatedSize" | "consentUse"> & { estimatedSize: Size };

/** The fields that both sides see. Only the publisher's audience may lack an estimated size. */
function commonJson<Size>(audience: CommonFields<Size>) {
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
