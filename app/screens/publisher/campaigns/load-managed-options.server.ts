import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { publishedSizes } from "#app/domain/audiences/snapshots/current-snapshots.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { pageLimits } from "#app/domain/page.ts";
import { type PortalBase, portalHref } from "#app/portal/portal-href.ts";
import { listCreativeOptions } from "#app/screens/shared/creatives/list-creative-options.server.ts";

/** Loads what a publisher chooses from in a campaign that it manages: its ready audiences and its creatives. */
export async function loadManagedOptions(
  ctx: Ctx<PublisherActor>,
  { base, chosen }: { base: PortalBase; chosen: readonly Creative[] },
) {
  const [audiences, creatives] = await Promise.all([
    listAudiences(ctx, { limit: pageLimits.max }),
    listCreativeOptions(ctx, { chosen }),
  ]);
  const ready = audiences.rows.filter((audience) => audience.status === "ready");
  const published = await publishedSizes(
    ctx,
    ready.map(({ id }) => id),
  );
  return {
    // The fields that advertisers see.
    audiences: ready.map(({ estimatedSize, ...audience }) => ({
      ...audience,
      publishedSize: published.get(audience.id) ?? null,
    })),
    choices: { ...creatives, uploadHref: portalHref(base, "/creatives/upload") },
    today: calendarDateOf(ctx.clock()),
  };
}
