import { describeEndpoint, endpointHeading } from "#app/api/reference/describe-endpoint.ts";
import { endpointGroups } from "#app/api/reference/endpoint-groups.ts";
import { findExampleIds } from "#app/domain/api-keys/find-example-ids.server.ts";
import { calendarDateOf } from "#app/domain/calendar-date.ts";
import type { TenantActor } from "#app/domain/context.ts";
import { env } from "#app/env.server.ts";
import type { PortalAccess } from "#app/portal/require-portal-access.server.ts";
import { notFoundResponse } from "#app/web/not-found.server.ts";

/** Loads the areas of the portal's API with their endpoints. */
export function loadApiOverview({ ctx, portal, base }: PortalAccess<TenantActor>) {
  const example = { origin: env().publicUrl, ids: {}, today: calendarDateOf(ctx.clock()) };
  const groups = endpointGroups(portal).map(({ slug, title, text, names }) => ({
    slug,
    title,
    text,
    endpoints: names.map(endpointHeading),
  }));
  const first = describeEndpoint("GET /api/first-steps", example);
  return { base, groups, example: `export ENDCAP_KEY=ek_…\n${first.request}` };
}

/**
 * Loads an area of the portal's API, with examples that have the account's own ids. Throws a 404 for an unknown area.
 */
export async function loadApiGroup({ ctx, portal, base }: PortalAccess<TenantActor>, slug: string | undefined) {
  const groups = endpointGroups(portal);
  const group = groups.find((one) => one.slug === slug);
  if (!group) throw notFoundResponse();
  const ids = await findExampleIds(ctx);
  const example = { origin: env().publicUrl, ids, today: calendarDateOf(ctx.clock()) };
  const { title, text, names } = group;
  return {
    base,
    title,
    text,
    endpoints: names.map((name) => describeEndpoint(name, example)),
    others: groups.map((one) => ({ slug: one.slug, title: one.title, current: one === group })),
  };
}
