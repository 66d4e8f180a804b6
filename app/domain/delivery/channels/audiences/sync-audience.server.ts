import { sql } from "drizzle-orm";
import { z } from "zod";
import { minimumAudienceSize } from "#app/domain/audiences/audience.ts";
import {
  type AudienceConsent,
  consentUse,
  isConsentWithdrawn,
  isSameConsent,
  noConsentStated,
} from "#app/domain/audiences/consent/audience-consent.ts";
import type { Ctx, JobActor } from "#app/domain/context.ts";
import type { AudienceDestination } from "#app/domain/delivery/channels/channel-adapter.ts";
import { asksForConsent } from "#app/domain/delivery/channels/connectable.ts";
import { columnValue, queryRows } from "#db/query-rows.server.ts";
import { audiences, channelAudiences } from "#db/schema/index.ts";
import { type ChannelAudience, holdsLease, releaseChannelAudience } from "./channel-audience-rows.server.ts";
import { abandon, uploadAudience } from "./upload-audience.server.ts";

type Work = { row: ChannelAudience; destination: AudienceDestination };

/**
 * The minimum interval between uploads, in milliseconds, because each upload contains the whole audience. Erasures and
 * withdrawn consent are uploaded at once.
 */
const minUploadIntervalMs = 3_600_000;
const dayMs = 24 * 3_600_000;
/** When an audience is emptied again because an upload of before was still being processed, in milliseconds. */
const emptyAgainMs = 600_000;

/**
 * Syncs an audience to a channel: uploads it, uploads changes, or removes it. An audience whose people denied consent
 * is removed from channels that ask for it, as is one that became too small. An audience that is up to date is checked
 * once a day, and uploaded again before the channel forgets its people. Throws a ChannelError and a LeaseLostError.
 */
export async function syncAudience(ctx: Ctx<JobActor>, { row, destination }: Work): Promise<void> {
  const audience = await readAudience(ctx, row);
  const now = ctx.clock().getTime();
  const consent = asksForConsent(row.channel) ? toConsent(audience) : null;
  const isDenied = consent !== null && consentUse(consent) === "nowhere";
  if (!audience.used || audience.size < minimumAudienceSize || isDenied)
    return removeChannelAudience(ctx, { row, destination, audience });
  const age = row.sentAt ? now - row.sentAt.getTime() : 0;
  const isOld = destination.renewAfterMs !== undefined && age >= destination.renewAfterMs;
  if (row.version === audience.version && isSameConsent(row.consent, consent) && !isOld) {
    if (row.reference) await destination.check?.(row.reference);
    return releaseChannelAudience(ctx, row, { ...noFailure, dueAt: new Date(now + dayMs) });
  }
  const remainingMs = row.sentAt ? minUploadIntervalMs - age : 0;
  const isWithdrawn = row.consent !== null && consent !== null && isConsentWithdrawn(row.consent, consent);
  // An upload in progress is finished first.
  if (remainingMs > 0 && !audience.erased && !isWithdrawn && !row.upload)
    return releaseChannelAudience(ctx, row, { dueAt: new Date(now + remainingMs) });
  await uploadAudience(ctx, { row, destination, audience: { ...audience, consent } });
}

const noFailure = { failures: 0, problem: null, lastError: null };

const foundRow = z.object({
  version: columnValue(audiences.version),
  generation: columnValue(audiences.generation),
  size: columnValue(audiences.size),
  adUserData: columnValue(audiences.adUserDataConsent),
  adPersonalization: columnValue(audiences.adPersonalizationConsent),
  used: z.boolean(),
  erased: z.boolean(),
});
type Found = z.output<typeof foundRow>;

/**
 * `used`: an active or paused line item uses the audience on the channel, or a campaign of an earlier version, or one
 * whose pause is not confirmed yet, still runs there with it. `erased`: people were erased since the uploaded version.
 */
async function readAudience(ctx: Ctx, { audienceId, channel, version }: ChannelAudience): Promise<Found> {
  const [audienceRow] = await queryRows(
    ctx.db,
    foundRow,
    sql`
      select audience.version, audience.generation, audience.size,
        audience.ad_user_data_consent as "adUserData", audience.ad_personalization_consent as "adPersonalization",
        audience.status <> 'archived' and exists (
          select from version_audiences chosen
          join line_items item on item.campaign_id = chosen.campaign_id and item.publisher_id = chosen.publisher_id
          join campaign_versions version on version.campaign_id = chosen.campaign_id and version.number = chosen.version
          left join channel_activations there on there.line_item_id = item.id and there.channel = ${channel}
            and there.confirmed_state = 'active' and there.confirmed_version = chosen.version
          where chosen.audience_id = audience.id and (there.line_item_id is not null
            or (item.approved_version = chosen.version and item.status in ('active', 'paused') and ${channel} = any(version.channels)))) as used,
        exists (select from audience_versions past where past.audience_id = audience.id and past.source = 'erasure' and past.number > ${version ?? 0}) as erased
      from audiences audience where audience.id = ${audienceId}`,
  );
  // The row is deleted together with its audience.
  return audienceRow ?? { version: 0, generation: 0, size: 0, ...noConsentStated, used: false, erased: false };
}

function toConsent({ adUserData, adPersonalization }: Found): AudienceConsent {
  return { adUserData, adPersonalization };
}

/**
 * Deletes the audience on the channel. One that is too small or without consent is emptied instead where the channel
 * can, and its row is kept, because both may change.
 */
async function removeChannelAudience(
  ctx: Ctx<JobActor>,
  { row, destination, audience }: Work & { audience: Found },
): Promise<void> {
  const now = ctx.clock().getTime();
  const { reference, upload } = row;
  if (reference && audience.used && destination.empty) {
    const isEmpty = await destination.empty({ reference, abandoned: upload?.token ?? null });
    const emptied = { version: null, sentAt: null, consent: null, upload: isEmpty ? null : abandon(upload) };
    const dueAt = new Date(now + (isEmpty ? dayMs : emptyAgainMs));
    return releaseChannelAudience(ctx, row, { ...emptied, ...noFailure, dueAt });
  }
  if (reference) await destination.remove(reference);
  const dueAt = new Date(now + dayMs);
  const nothing = { reference: null, version: null, sentAt: null, consent: null, upload: null };
  if (!audience.used) await ctx.db.delete(channelAudiences).where(holdsLease(row));
  else await releaseChannelAudience(ctx, row, { ...nothing, ...noFailure, dueAt });
}
