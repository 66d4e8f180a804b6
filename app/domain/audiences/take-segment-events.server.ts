import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { changeMembers } from "./change-members.server.ts";
import { getAudience } from "./get-audience.server.ts";
import type { memberStatuses } from "./members/member-result.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";
import { readSegmentEvents, type SegmentEvents } from "./segment-events.ts";

type Taken = Record<(typeof memberStatuses)[number] | "ignored", number>;

/**
 * Segment cannot be asked for an audience's people: it sends them as they enter and leave. Takes such events for an audience
 * whose source is Segment; those sent again change nothing. Throws `not_found`, `invalid_transition` for an audience of
 * another source or an archived one, and `limit_reached` without the plan.
 */
export async function takeSegmentEvents(
  ctx: Ctx<PublisherActor>,
  { audienceId, key, ...sent }: SegmentEvents & { audienceId: AudienceId; key: string | undefined },
): Promise<{ taken: Taken; size: number }> {
  const { dataSource } = await getAudience(ctx, audienceId);
  if (dataSource !== "segment") {
    throw new DomainError("invalid_transition", "This audience's people do not come from Segment");
  }
  await requireDirectIntegration(ctx, dataSource);
  const { add, remove, ignored } = readSegmentEvents(sent, key);
  const { results, size } = await changeMembers(ctx, { audienceId, add, remove });
  const taken: Taken = { added: 0, duplicate: 0, removed: 0, absent: 0, invalid: 0, ignored };
  for (const { status } of results) taken[status] += 1;
  return { taken, size };
}
