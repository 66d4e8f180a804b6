import { eq } from "drizzle-orm";
import { lockOwnAudience } from "#app/domain/audiences/audience-rows.server.ts";
import { isPullIntegration, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import { sanitizeFileName } from "#app/domain/audiences/files/file-name.ts";
import { getAudience } from "#app/domain/audiences/get-audience.server.ts";
import { failRefreshOf } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import { recordAudit } from "#app/domain/audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError, invalidInput } from "#app/domain/errors.ts";
import type { AudienceId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audiences } from "#db/schema/index.ts";
import type { RemoteList } from "./connectors/connector.ts";
import { listRemoteLists } from "./list-remote-lists.server.ts";

/** A list that an audience's integration has. */
export type FoundRemoteList = { audienceId: AudienceId; dataSource: PullIntegration; remoteList: RemoteList };

/**
 * Sets the remote list that an audience's people are fetched from. It is fetched before the transaction, so that no row
 * lock is held during a request to another server. Throws what `findRemoteList` and `saveRemoteList` throw.
 */
export async function chooseRemoteList(
  ctx: Ctx<PublisherActor>,
  chosen: { audienceId: AudienceId; list: string },
): Promise<void> {
  await saveRemoteList(ctx, await findRemoteList(ctx, chosen));
}

/**
 * Finds a list at the integration of an audience. Throws `not_found`; `invalid_input` for an unknown list;
 * `invalid_transition` for an audience without a pull integration; and whatever `listRemoteLists` throws.
 */
export async function findRemoteList(
  ctx: Ctx<PublisherActor>,
  { audienceId, list }: { audienceId: AudienceId; list: string },
): Promise<FoundRemoteList> {
  const { dataSource } = await getAudience(ctx, audienceId);
  if (!isPullIntegration(dataSource)) throw notPullIntegration();
  const remoteList = (await listRemoteLists(ctx, dataSource)).find(({ id }) => id === list);
  if (!remoteList) throw invalidInput({ list: ["This list no longer exists. Choose another."] });
  return { audienceId, dataSource, remoteList };
}

/**
 * Sets the list. The next refresh replaces the audience's people with it; one of another list that runs ends. Throws
 * `not_found`, and `invalid_transition` for an archived audience or one whose data source is another one by now.
 */
export async function saveRemoteList(
  ctx: Ctx<PublisherActor>,
  { audienceId, dataSource, remoteList }: FoundRemoteList,
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, audienceId, "no key update");
    if (row.status === "archived") throw new DomainError("invalid_transition", "Archived audiences can't be changed");
    if (row.dataSource !== dataSource) throw notPullIntegration();
    if (row.remoteListId === remoteList.id) return;
    // The name of a list may contain an email address.
    const name = sanitizeFileName(remoteList.name);
    // The first refresh is due at once, unless refreshes are manual.
    const nextRefreshAt = row.refreshFrequency === "manual" ? null : tx.clock();
    await tx.db
      .update(audiences)
      .set({ remoteListId: remoteList.id, remoteListName: name, nextRefreshAt })
      .where(eq(audiences.id, audienceId));
    await failRefreshOf(tx, { audienceId, because: "another list was chosen" });
    await recordAudit(tx, {
      action: "audience.list_chosen",
      entity: "audience",
      entityId: audienceId,
      accountId: row.publisherId,
      before: { list: row.remoteListName },
      after: { list: name },
    });
  });
}

function notPullIntegration(): DomainError {
  return new DomainError("invalid_transition", "This audience does not use an integration");
}
