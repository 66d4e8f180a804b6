import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import type { memberStatuses } from "#app/domain/audiences/members/member-result.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";
import { parseSegmentEvents, type SegmentEvents } from "./segment-events.ts";

type EventCounts = Record<(typeof memberStatuses)[number] | "opted_out" | "ignored", number>;

/**
 * Ingests Segment events for an audience whose source is Segment. Segment pushes events when people enter or leave and
 * cannot be polled. Repeated events change nothing, and people who opted out are left out. Throws `not_found`;
 * `invalid_transition` for an audience with another source or an archived one; and `limit_reached` without the required
 * plan.
 */
export async function ingestSegmentEvents(
  ctx: Ctx<PublisherActor>,
  { audienceId, key, ...events }: SegmentEvents & { audienceId: AudienceId; key: string | undefined },
): Promise<{ ingested: EventCounts; size: number }> {
  const { dataSource } = await getAudience(ctx, audienceId);
  if (dataSource !== "segment") {
    throw new DomainError("invalid_transition", "This audience's data source is not Segment");
  }
  await requireDirectIntegration(ctx, dataSource);
  const { add, remove, ignored, optedOut } = parseSegmentEvents(events, key);
  const { results, size } = await updateMembers(ctx, { audienceId, add, remove });
  const ingested: EventCounts = {
    added: 0,
    duplicate: 0,
    removed: 0,
    absent: 0,
    invalid: 0,
    opted_out: optedOut,
    ignored,
  };
  for (const { status } of results) ingested[status] += 1;
  return { ingested, size };
}
