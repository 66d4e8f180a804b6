import { Readable } from "node:stream";
import { and, eq, sql } from "drizzle-orm";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import type { Ctx, PublisherActor } from "../context.ts";
import { DomainError } from "../errors.ts";
import { type AudienceId, newId, type UploadId } from "../ids.ts";
import { runAside, stoppingImports } from "../running-imports.server.ts";
import { inTransaction, sqlState } from "../transaction.server.ts";
import { type AudienceRow, lockOwnAudience } from "./audience-rows.server.ts";
import { type Connector, ConnectorError, wordsOfProblem } from "./connectors/connector.ts";
import { openConnector } from "./connectors/open-connector.server.ts";
import { dataSourceLabels, isProgram, type Program } from "./data-source.ts";
import { beginAgain } from "./fail-upload.server.ts";
import { FileRefusal } from "./files/file-refusal.ts";
import { nextRefresh } from "./next-refresh.ts";
import { receiveUpload } from "./receive-upload.server.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/** After a failure that may pass by itself it is tried again in an hour, whatever the frequency. In milliseconds. */
const soon = 60 * 60 * 1000;

/** What one list may have. Their servers may be anybody's, and must not keep us reading for ever. */
const mostPeople = 10_000_000;
const mostPages = 200_000;

type Refresh = { id: UploadId; audienceId: AudienceId; program: Program; list: string; name: string };

/**
 * Fetches an audience's list and replaces its people by it, as an upload that goes on after the answer; its report says
 * how it ended. A list that cannot be read to its end leaves the audience as it was. Throws `not_found`, and
 * `invalid_transition` while another refresh runs, without a list, for an archived audience or one of no program, and
 * `limit_reached` where the plan has no direct integration any more.
 */
export async function refreshAudience(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<{ id: UploadId }> {
  const refresh = await reserve(ctx, audienceId);
  const facts = { work: "refresh_audience", uploadId: refresh.id, audienceId } as const;
  void runAside(ctx, facts, () => fetchList(ctx, refresh));
  return { id: refresh.id };
}

/** The row of the upload; only one refresh of an audience can have one. */
async function reserve(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<Refresh> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await lockOwnAudience(tx, audienceId, "no key update");
      const { program, list, name } = listOf(row);
      await requireDirectIntegration(tx, program);
      const id = newId<UploadId>();
      const now = tx.clock();
      await tx.db.insert(audienceUploads).values({
        id,
        audienceId,
        publisherId: row.publisherId,
        mode: "replace",
        source: program,
        createdAt: now,
        createdBy: tx.actor.userId,
        aliveAt: now,
      });
      await tx.db
        .update(audiences)
        .set({ nextRefreshAt: nextRefresh(row.refreshFrequency, now) })
        .where(eq(audiences.id, audienceId));
      return { id, audienceId, program, list, name };
    });
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new DomainError("invalid_transition", "A refresh of this audience is running already");
  }
}

function listOf({ status, dataSource, remoteListId, remoteListName }: AudienceRow) {
  if (status === "archived") throw new DomainError("invalid_transition", "This audience is archived");
  if (!isProgram(dataSource)) {
    throw new DomainError("invalid_transition", "This audience's people do not come from a connected program");
  }
  if (remoteListId === null || remoteListName === null) {
    throw new DomainError("invalid_transition", `Choose a list of ${dataSourceLabels[dataSource]} first`);
  }
  return { program: dataSource, list: remoteListId, name: remoteListName };
}

async function fetchList(ctx: Ctx<PublisherActor>, refresh: Refresh): Promise<void> {
  const { id, audienceId, name } = refresh;
  async function* files() {
    yield { name, stream: Readable.from(csvOf(ctx, refresh)), isTruncated: () => false };
  }
  await receiveUpload(ctx, { id, audienceId, mode: "replace", files: files() });
}

/** The list as the file that it would be: from here on it goes the way of every upload. In memory only. */
async function* csvOf(ctx: Ctx<PublisherActor>, refresh: Refresh): AsyncGenerator<Buffer> {
  const { program, list, audienceId } = refresh;
  yield Buffer.from("email,phone\n");
  try {
    const connector = await openConnector(ctx, program, { waiting: "job" });
    if (!connector) throw new FileRefusal(`${dataSourceLabels[program]} is not connected any more. Connect it again.`);
    for await (const page of pagesOf(connector, list)) {
      if (stoppingImports().aborted) {
        await beginAgain(ctx, [audienceId]);
        throw new FileRefusal("The server was stopped. The refresh begins again by itself.");
      }
      yield page;
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.problem === "busy" || error.problem === "unreachable") await tryAgainSoon(ctx, audienceId);
    throw new FileRefusal(`${dataSourceLabels[program]} ${wordsOfProblem(error.problem)}. The audience is as it was.`);
  }
}

async function* pagesOf(connector: Connector, list: string): AsyncGenerator<Buffer> {
  let cursor: string | undefined;
  let people = 0;
  let pages = 0;
  do {
    const page = await connector.readPage(list, cursor);
    people += page.people.length;
    pages += 1;
    if (people > mostPeople || pages > mostPages) {
      throw new FileRefusal(
        `The list has more than ${mostPeople.toLocaleString("en-US")} people. Choose a smaller one.`,
      );
    }
    // It would be the same page for ever.
    if (cursor !== undefined && page.next === cursor) throw new ConnectorError("unreadable");
    const lines = page.people.map(({ email, phone }) => `${quoted(email)},${quoted(phone)}\n`);
    if (lines.length > 0) yield Buffer.from(lines.join(""));
    cursor = page.next;
  } while (cursor !== undefined);
  if (people === 0) throw new FileRefusal("The list has no people. The audience is as it was.");
}

function quoted(value: string | null): string {
  return value === null ? "" : `"${value.replaceAll('"', '""')}"`;
}

async function tryAgainSoon(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<void> {
  const at = new Date(ctx.clock().getTime() + soon);
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: sql`least(${audiences.nextRefreshAt}, ${at.toISOString()}::timestamptz)` })
    .where(and(eq(audiences.id, audienceId), sql`${audiences.nextRefreshAt} is not null`));
}
