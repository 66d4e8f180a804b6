import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { Creative } from "#app/domain/creatives/creative-rows.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";

const listed = 60;

export type CreativeChoicesOffered = { creatives: Creative[]; moreCreatives: boolean };

/**
 * What a campaign's form lets one choose from: the account's newest, or the newest that a search finds. What is chosen already is always in it: the form says
 * what is chosen, and what it lacked would be dropped.
 */
export async function listCreativeChoices(
  ctx: Ctx<TenantActor>,
  { chosen, q }: { chosen: readonly Creative[]; q?: string },
): Promise<CreativeChoicesOffered> {
  const { rows, nextCursor } = await listCreatives(ctx, { q, limit: listed });
  const there = new Set(rows.map(({ id }) => id));
  return { creatives: [...chosen.filter(({ id }) => !there.has(id)), ...rows], moreCreatives: nextCursor !== null };
}
