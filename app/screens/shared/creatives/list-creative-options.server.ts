import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";

const listed = 60;

export type CreativeOptions = { creatives: Creative[]; moreCreatives: boolean };

/**
 * Returns the creatives of a campaign form: the account's newest, or the newest that match a search. Selected creatives
 * are always included: the form posts its whole selection, so a missing one would be removed.
 */
export async function listCreativeOptions(
  ctx: Ctx<TenantActor>,
  { chosen, q }: { chosen: readonly Creative[]; q?: string },
): Promise<CreativeOptions> {
  const { rows, nextCursor } = await listCreatives(ctx, { q, limit: listed });
  const there = new Set(rows.map(({ id }) => id));
  return { creatives: [...chosen.filter(({ id }) => !there.has(id)), ...rows], moreCreatives: nextCursor !== null };
}
