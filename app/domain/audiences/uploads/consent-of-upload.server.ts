import { eq } from "drizzle-orm";
import type { ConsentChanges } from "#app/domain/audiences/audience-payloads.ts";
import { updateAudience } from "#app/domain/audiences/update-audience.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { audiences } from "#db/schema/index.ts";

/**
 * Splits the statement about consent that came with an upload: what it grants is true of the audience's people once the
 * upload has succeeded, and the rest counts at once. Pure.
 */
export function splitConsent(consent: ConsentChanges): Record<"granted" | "others", ConsentChanges> {
  const pick = (isGranted: boolean): ConsentChanges =>
    Object.fromEntries(
      Object.entries(consent).filter(([, status]) => status !== undefined && (status === "granted") === isGranted),
    );
  return { granted: pick(true), others: pick(false) };
}

/**
 * Grants what the uploader said that these people consented to, unless a statement was made since the upload was
 * reserved.
 */
export async function grantConsent(
  ctx: Ctx<PublisherActor>,
  { audienceId, consent, since }: { audienceId: AudienceId; consent: ConsentChanges; since: Date },
): Promise<void> {
  const [audience] = await ctx.db
    .select({ statedAt: audiences.consentStatedAt })
    .from(audiences)
    .where(eq(audiences.id, audienceId));
  if (audience?.statedAt && audience.statedAt > since) return;
  await updateAudience(ctx, { id: audienceId, changes: splitConsent(consent).granted });
}
