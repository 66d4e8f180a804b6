import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { maxApiKeys } from "#app/domain/api-keys/api-key.ts";
import { type ApiKeyId, newId } from "#app/domain/ids.ts";
import { apiKeys } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { member } from "./api.ts";

const db = useDatabase();

test.each([false, true])(
  "keys created at once fill the limit and hold one connection; with keys of requests: %s",
  async (isKeyed) => {
    const { api, accountId } = await member("publisher");
    const others = Array.from({ length: maxApiKeys - 9 }, (_, number) => ({
      id: newId<ApiKeyId>(),
      accountId,
      role: "tenant" as const,
      name: `Key ${number}`,
      secretHash: crypto.randomUUID(),
      prefix: "endcap_1234",
    }));
    await db().insert(apiKeys).values(others);
    const create = () => {
      const headers: Record<string, string> = isKeyed ? { "Idempotency-Key": crypto.randomUUID() } : {};
      return api("POST /api/keys", { body: { name: "Nightly" }, headers });
    };
    let created: Promise<Awaited<ReturnType<typeof create>>[]> | undefined;
    await db().transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`api_keys ${accountId}`}))`);
      created = deferRejection(Promise.all(Array.from({ length: 12 }, create)));
      await waitForBlockedSessions(db(), 1);
      // Needs a connection, which twelve that wait in the database would leave to nobody.
      expect((await api("GET /api/keys", {})).status).toBe(200);
      const [waiting] = await db().execute(sql`select count(*)::int as sessions from pg_locks
        where not granted and database = (select oid from pg_database where datname = current_database())`);
      expect(waiting).toEqual({ sessions: 1 });
    });
    const answers = (await created)?.map(({ status, error }) => error?.code ?? status);
    expect(answers?.filter((one) => one === 201)).toHaveLength(8);
    expect(answers?.filter((one) => one === "limit_reached")).toHaveLength(4);
  },
);
