import { eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { requireOpenAccount } from "../accounts/require-open-account.server.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { statusForSize } from "./audience.ts";
import { lockOwnAudience } from "./audience-rows.server.ts";
import { nextRefresh } from "./integrations/next-refresh.ts";
import { whenConnected } from "./integrations/when-connected.server.ts";

/**
 * Ends the archiving of an audience: its status follows from its people again, and its refreshes continue. Does nothing
 * for an audience that is not archived. Throws `not_found`, and `invalid_transition` when the account is closed.
 */
export async function restoreAudience(ctx: Ctx<PublisherActor>, { id }: { id: AudienceId }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, id, "update");
    if (row.status !== "archived") return;
    await requireOpenAccount(tx, row.publisherId);
    const status = row.version === 0 && row.size === 0 ? "building" : statusForSize(row.size);
    const due = row.remoteListId === null ? null : nextRefresh(row.refreshFrequency, row.refreshedAt ?? tx.clock());
    await tx.db
      .update(audiences)
      .set({ status, archivedAt: null, nextRefreshAt: whenConnected(tx, due) })
      .where(eq(audiences.id, id));
    await recordAudit(tx, {
      action: "audience.restored",
      entity: "audience",
      entityId: id,
      accountId: row.publisherId,
      before: { status: row.status },
      after: { status },
    });
  });
}
