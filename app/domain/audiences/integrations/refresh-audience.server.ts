import { Readable } from "node:stream";
import { and, eq, sql } from "drizzle-orm";
import { type AudienceRow, lockOwnAudience } from "#app/domain/audiences/audience-rows.server.ts";
import { dataSourceLabels, isPullIntegration, type PullIntegration } from "#app/domain/audiences/data-source.ts";
import { refreshStopped, scheduleImmediateRefresh } from "#app/domain/audiences/integrations/end-refreshes.server.ts";
import { receiveUpload } from "#app/domain/audiences/uploads/receive-upload.server.ts";
import type { UploadAttempt } from "#app/domain/audiences/uploads/upload-attempt.server.ts";
import { runInBackground, shutdownSignal } from "#app/domain/background-tasks.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import { DomainError } from "#app/domain/errors.ts";
import { FileRejectedError } from "#app/domain/file-rejected-error.ts";
import { reserveOnce } from "#app/domain/idempotency/reserve-once.server.ts";
import { type AudienceId, newId, type UploadId } from "#app/domain/ids.ts";
import { inTransaction, sqlState } from "#app/domain/transaction.server.ts";
import { audiences, audienceUploads } from "#db/schema/index.ts";
import { type Connector, ConnectorError, describeConnectorProblem } from "./connectors/connector.ts";
import { openConnector } from "./connectors/open-connector.server.ts";
import { nextRefresh } from "./next-refresh.ts";
import { requireDirectIntegration } from "./require-direct-integration.server.ts";

/** After a temporary failure the refresh is retried in an hour, whatever its frequency. In milliseconds. */
const retryDelayMs = 60 * 60 * 1000;

/** Limits of one list. A remote server must not be able to keep a refresh running indefinitely. */
const maxPeople = 10_000_000;
const maxPages = 200_000;

type Refresh = UploadAttempt & { audienceId: AudienceId; integration: PullIntegration; list: string; name: string };

/**
 * Fetches an audience's list and replaces the audience's people with it. The upload continues in the background after
 * the response; its report shows the outcome. A list that cannot be read completely leaves the audience unchanged.
 * The same idempotency key returns the same upload. Throws `not_found`; `invalid_transition` while another refresh
 * runs, without a list, for an archived audience or one without a pull integration; and `limit_reached` when the plan
 * no longer includes direct integrations.
 */
export async function refreshAudience(
  ctx: Ctx<PublisherActor>,
  audienceId: AudienceId,
  { key }: { key?: string | undefined } = {},
): Promise<{ id: UploadId; isNew: boolean }> {
  const request = {
    caller: `account:${ctx.actor.accountId}`,
    key,
    requestFingerprint: `refresh audience ${audienceId}`,
  };
  const { id, reserved } = await reserveOnce(ctx, request, (once) => reserve(once, audienceId));
  const facts = { work: "refresh_audience", uploadId: id, audienceId } as const;
  if (reserved) void runInBackground(ctx, facts, () => fetchList(ctx, reserved));
  return { id, isNew: reserved !== undefined };
}

/** Inserts the upload's row; a unique index allows only one running refresh per audience. */
async function reserve(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<Refresh> {
  try {
    return await inTransaction(ctx, async (tx) => {
      const row = await lockOwnAudience(tx, audienceId, "no key update");
      const { integration, list, name } = requireRemoteList(row);
      await requireDirectIntegration(tx, integration);
      const [id, attempt] = [newId<UploadId>(), 1];
      const now = tx.clock();
      await tx.db.insert(audienceUploads).values({
        id,
        attempt,
        audienceId,
        publisherId: row.publisherId,
        mode: "replace",
        source: integration,
        createdAt: now,
        createdBy: tx.actor.userId,
        heartbeatAt: now,
      });
      await tx.db
        .update(audiences)
        .set({ nextRefreshAt: nextRefresh(row.refreshFrequency, now) })
        .where(eq(audiences.id, audienceId));
      return { id, attempt, audienceId, integration, list, name };
    });
  } catch (error) {
    if (sqlState(error) !== "23505") throw error;
    throw new DomainError("invalid_transition", "This audience is already refreshing");
  }
}

function requireRemoteList({ status, dataSource, remoteListId, remoteListName }: AudienceRow) {
  if (status === "archived") throw new DomainError("invalid_transition", "Archived audiences can't be refreshed");
  if (!isPullIntegration(dataSource)) {
    throw new DomainError("invalid_transition", "This audience does not use an integration");
  }
  if (remoteListId === null || remoteListName === null) {
    throw new DomainError("invalid_transition", `Choose a ${dataSourceLabels[dataSource]} list first`);
  }
  return { integration: dataSource, list: remoteListId, name: remoteListName };
}

async function fetchList(ctx: Ctx<PublisherActor>, refresh: Refresh): Promise<void> {
  const { id, attempt, audienceId, name } = refresh;
  async function* files() {
    yield { name, stream: Readable.from(streamCsv(ctx, refresh)), isTruncated: () => false };
  }
  await receiveUpload(ctx, { id, attempt, audienceId, mode: "replace", isRefresh: true, files: files() });
}

/** Converts the list to a CSV file, which is then processed like any upload. In memory only. */
async function* streamCsv(ctx: Ctx<PublisherActor>, refresh: Refresh): AsyncGenerator<Buffer> {
  const { integration, list, audienceId } = refresh;
  try {
    const connector = await openConnector(ctx, integration, { mode: "job" });
    if (!connector)
      throw new FileRejectedError(`${dataSourceLabels[integration]} is no longer connected. Reconnect it.`);
    yield Buffer.from(`email,phone,${connector.consentColumns.join(",")}\n`);
    for await (const page of streamPages(connector, list)) {
      if (shutdownSignal().aborted) {
        await scheduleImmediateRefresh(ctx, [audienceId]);
        throw new FileRejectedError(refreshStopped);
      }
      yield page;
    }
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    if (error.problem === "rate_limited" || error.problem === "unreachable") await scheduleRetry(ctx, audienceId);
    throw new FileRejectedError(
      `${dataSourceLabels[integration]} ${describeConnectorProblem(error.problem)}. The audience was not changed. Check the integration, then refresh again.`,
    );
  }
}

async function* streamPages(connector: Connector, list: string): AsyncGenerator<Buffer> {
  let cursor: string | undefined;
  let people = 0;
  let pages = 0;
  do {
    const page = await connector.readPage(list, cursor);
    people += page.people.length;
    pages += 1;
    if (people > maxPeople || pages > maxPages) {
      throw new FileRejectedError(
        `The list has more than ${maxPeople.toLocaleString("en-US")} people. Choose a smaller list.`,
      );
    }
    // A repeated cursor would return the same page indefinitely.
    if (cursor !== undefined && page.next === cursor) throw new ConnectorError("unexpected_response");
    const lines = page.people.map(
      ({ email, phone, consents }) => `${[email, phone, ...consents].map(quoteCell).join(",")}\n`,
    );
    if (lines.length > 0) yield Buffer.from(lines.join(""));
    cursor = page.next;
  } while (cursor !== undefined);
  if (people === 0) throw new FileRejectedError("The list is empty. The audience was not changed.");
}

function quoteCell(value: string | null): string {
  return value === null ? "" : `"${value.replaceAll('"', '""')}"`;
}

async function scheduleRetry(ctx: Ctx<PublisherActor>, audienceId: AudienceId): Promise<void> {
  const retryAt = new Date(ctx.clock().getTime() + retryDelayMs);
  await ctx.db
    .update(audiences)
    .set({ nextRefreshAt: sql`least(${audiences.nextRefreshAt}, ${retryAt.toISOString()}::timestamptz)` })
    .where(and(eq(audiences.id, audienceId), sql`${audiences.nextRefreshAt} is not null`));
}
