import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { publishedSizes } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { pageLimits } from "#app/domain/page.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { listCreativeOptions } from "#app/screens/shared/creatives/list-creative-options.server.ts";

/**
 * Loads what a publisher chooses from in a campaign that it manages: its ready audiences and its creatives. The
 * selected ones come first, also those that cannot be selected any longer: the form posts its whole selection, so a
 * missing one would be removed.
 */
export async function loadManagedOptions(
  ctx: Ctx<PublisherActor>,
  {
    base,
    chosen,
    chosenAudiences = [],
  }: { base: PortalBase; chosen: readonly Creative[]; chosenAudiences?: readonly AudienceId[] },
) {
  const limit = pageLimits.max;
  const [ready, selected, creatives] = await Promise.all([
    listAudiences(ctx, { status: "ready", limit }),
    listAudiences(ctx, { ids: chosenAudiences, limit }),
    listCreativeOptions(ctx, { chosen }),
  ]);
  const audiences = [...selected.rows, ...ready.rows.filter(({ id }) => !chosenAudiences.includes(id))];
  const published = await publishedSizes(
    ctx,
    audiences.filter(({ status }) => status === "ready").map(({ id }) => id),
  );
  return {
    // The fields that advertisers see.
    audiences: audiences.map(({ estimatedSize, ...audience }) => ({
      ...audience,
      publishedSize: published.get(audience.id) ?? null,
    })),
    choices: { ...creatives, uploadHref: portalHref(base, "/creatives/upload") },
    today: calendarDateOf(ctx.clock()),
  };
}
