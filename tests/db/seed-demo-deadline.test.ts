import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { seedDemo } from "#db/seed/seed-demo.ts";
import { useDatabase } from "#tests/support/database/database.ts";

const db = useDatabase();

/** Fails the first insert with the timeouts of its transaction, whose deadline is the one of its statements. */
const reportTimeouts = `
  create function report_timeouts() returns trigger language plpgsql as $$
  begin
    raise exception 'timeouts: %', (
      select string_agg(name || ' ' || setting, ', ' order by name) from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'));
  end $$;
  create trigger report_timeouts before insert on accounts execute function report_timeouts()`;

test("a first start on a busy machine, or beside another one, has an hour for the demo data", async () => {
  await db.owner().execute(sql.raw(reportTimeouts));
  // The session ends ten seconds after the deadline (allowIdle).
  const timeouts = "idle_in_transaction_session_timeout 3610000, lock_timeout 3600000, statement_timeout 3600000";
  await expect(seedDemo({ db: db(), clock: () => new Date() })).rejects.toMatchObject({
    cause: { message: `timeouts: ${timeouts}` },
  });
});
