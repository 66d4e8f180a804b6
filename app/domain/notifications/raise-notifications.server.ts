import type { Ctx } from "../context.ts";
import type { AuditEntryId } from "../ids.ts";
import { type Happening, noticesOf } from "./notices-of.ts";
import type { NotificationFacts } from "./notification.ts";
import { tellAccounts } from "./tell-accounts.server.ts";

/**
 * Tells whoever is to be told of what happened, in the caller's transaction. The entry's id is the event's key, so that nothing
 * is told twice.
 */
export async function raiseNotifications(
  ctx: Ctx,
  happenings: readonly (Happening & { id: AuditEntryId })[],
): Promise<void> {
  const actorId = "accountId" in ctx.actor ? ctx.actor.accountId : undefined;
  await tellAccounts(
    ctx,
    happenings.flatMap((happening) =>
      noticesOf(happening, actorId).map(({ event, accountId }) => ({
        event,
        accountId,
        key: happening.id,
        subjectId: happening.entityId,
        campaignId: happening.campaignId,
        advertiserId: happening.ownerId,
        publisherId: happening.ownerId && happening.accountId,
        facts: factsOf(happening),
      })),
    ),
  );
}

function factsOf({ after, told }: Happening): Partial<NotificationFacts> {
  return {
    notes: typeof after?.notes === "string" ? after.notes : undefined,
    amount: typeof after?.amount === "number" ? after.amount : undefined,
    reason: typeof after?.reason === "string" ? after.reason : undefined,
    isChange: typeof after?.version === "number" && after.version > 1 ? true : undefined,
    isWaiting: after?.status === "pending" ? true : undefined,
    ...told,
  };
}
