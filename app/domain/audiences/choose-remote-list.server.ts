import { eq } from "drizzle-orm";
import { audiences } from "#db/schema/index.ts";
import { recordAudit } from "../audit/record-audit.server.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError, invalidInput } from "../errors.ts";
import type { AudienceId } from "../ids.ts";
import { inTransaction } from "../transaction.server.ts";
import { lockOwnAudience } from "./audience-rows.server.ts";
import { isProgram } from "./data-source.ts";
import { shownFileName } from "./files/file-name.ts";
import { getAudience } from "./get-audience.server.ts";
import { listRemoteLists } from "./list-remote-lists.server.ts";

/**
 * Says which of its program's lists an audience's people are fetched from; the next refresh replaces them. Throws
 * `not_found`, `invalid_input` for a list that is not there, `invalid_transition` for an archived audience or one of no
 * program, and as `listRemoteLists` does.
 */
export async function chooseRemoteList(
  ctx: Ctx<PublisherActor>,
  { audienceId, list }: { audienceId: AudienceId; list: string },
): Promise<void> {
  const { dataSource } = await getAudience(ctx, audienceId);
  if (!isProgram(dataSource)) throw notOfAProgram();
  // Asked before the transaction: no lock waits for another's server.
  const found = (await listRemoteLists(ctx, dataSource)).find(({ id }) => id === list);
  if (!found) throw invalidInput({ list: ["This list is not there any more. Choose another"] });
  await inTransaction(ctx, async (tx) => {
    const row = await lockOwnAudience(tx, audienceId, "no key update");
    if (row.status === "archived") throw new DomainError("invalid_transition", "This audience is archived");
    if (row.dataSource !== dataSource) throw notOfAProgram();
    if (row.remoteListId === found.id) return;
    // Somebody's address may be in a list's name too.
    const name = shownFileName(found.name);
    // The first refresh is due, unless people alone begin them.
    const nextRefreshAt = row.refreshFrequency === "manual" ? null : tx.clock();
    await tx.db
      .update(audiences)
      .set({ remoteListId: found.id, remoteListName: name, nextRefreshAt })
      .where(eq(audiences.id, audienceId));
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

function notOfAProgram(): DomainError {
  return new DomainError("invalid_transition", "This audience's people do not come from a connected program");
}
