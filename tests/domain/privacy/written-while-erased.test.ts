import { eq, sql } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { registerAccount } from "#app/domain/accounts/register-account.server.ts";
import { signInUser } from "#app/domain/accounts/sign-in/sign-in-user.server.ts";
import { startSession } from "#app/domain/accounts/sign-in/start-session.server.ts";
import type { Ctx, PublisherActor } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { notifyAccounts } from "#app/domain/notifications/notify-accounts.server.ts";
import { unsubscribeFromMails } from "#app/domain/notifications/unsubscribe-from-mails.server.ts";
import { updateMailSettings } from "#app/domain/notifications/update-mail-settings.server.ts";
import { requestErasure } from "#app/domain/privacy/request-erasure.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { createReport } from "#app/domain/reports/create-report.server.ts";
import { reportScheduleSchema } from "#app/domain/reports/report-payloads.ts";
import { scheduleReport } from "#app/domain/reports/schedule-report.server.ts";
import { saveView } from "#app/domain/saved-views/save-view.server.ts";
import { queryRows } from "#db/query-rows.server.ts";
import { users } from "#db/schema/index.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { listReferences } from "#tests/support/database/references.ts";
import { waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let number = 0;
beforeAll(async () => {
  world = await createWorld(db());
});

type Person = { ctx: Ctx<PublisherActor>; colleague: Ctx<PublisherActor>; userId: UserId; email: string };
type Write = (person: Person) => Promise<unknown>;

/** What a request that began before writes about the person, by the tables. */
const writes: Record<
  string,
  { tables: readonly string[]; prepare?: (person: Person) => Promise<Write>; write?: Write }
> = {
  "a sign-in": {
    tables: ["sessions", "sign_in_devices"],
    write: ({ userId }) =>
      startSession({ ...world.job }, { userId, userAgent: "Firefox", replaces: undefined, device: "a-device" }),
  },
  "a change of the mail settings": {
    tables: ["mail_settings"],
    write: ({ ctx, userId }) =>
      updateMailSettings(ctx, { userId, delivery: "daily", time_zone: "Europe/Vienna", events: [] }),
  },
  "the end of a kind of mail": {
    tables: ["mail_settings"],
    write: ({ userId }) => unsubscribeFromMails({ ...world.job }, { userId, event: null }),
  },
  "a saved view": {
    tables: ["saved_views"],
    write: ({ ctx, userId }) => saveView(ctx, { userId, list: "products", query: "q=cups", name: "Cups" }),
  },
  "a colleague's report to the person": {
    tables: ["report_recipients"],
    prepare: async ({ colleague }) => {
      const report = await createReport(colleague, { name: "Weekly", query: "" });
      const schedule = { frequency: "weekly", hour: 8, time_zone: "UTC", range: "last_7_days", format: "csv" };
      return ({ email }) =>
        scheduleReport(colleague, {
          ...report,
          ...reportScheduleSchema.parse({ ...schedule, recipients: [email] }),
        });
    },
  },
  "a notification of the account": {
    tables: ["mails"],
    write: ({ ctx, email }) =>
      notifyAccounts(ctx, [
        {
          event: "account_approved",
          accountId: ctx.actor.accountId,
          key: `late/${email}`,
          subjectId: ctx.actor.accountId,
          facts: {},
        },
      ]),
  },
};

/** The tables that refer to a person and keep who did something: such a row names nobody once the person is erased. */
const otherTables = ["audience_uploads", "audiences", "erasures"];
/** The mail that the request was confirmed with has no address any more. */
const isErased: Record<string, string> = { mails: "address = ''" };

async function signUp(): Promise<{ userId: UserId; email: string }> {
  number += 1;
  const email = `erased${number}@late.example`;
  const profile = { subject: `erased-${number}`, name: "Lee Late", picture: undefined, email, emailVerified: true };
  return { ...(await signInUser({ ...world.job }, profile)), email };
}

/** A person of an account that a colleague stays in. */
async function aPerson(): Promise<Person> {
  const { userId: colleagueId } = await signUp();
  const visitor = {
    ...world.job,
    actor: { kind: "user", userId: colleagueId } as const,
    entrypoint: "screen" as const,
  };
  const none = { business_vertical: null, monthly_budget: null, monthly_visitors: null, monthly_pageviews: null };
  const registration = { user_type: "publisher" as const, company_name: "Late", website: null, ...none };
  const { accountId } = await registerAccount(visitor, { registration, approval: "auto" });
  const person = await signUp();
  await db().update(users).set({ accountId }).where(eq(users.id, person.userId));
  const as = (userId: UserId) => ({ ...visitor, actor: { kind: "publisher" as const, accountId, userId } });
  return { ctx: as(person.userId), colleague: as(colleagueId), ...person };
}

const countRow = z.object({ count: z.number() });

async function countRowsOf(userId: UserId): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { name, columnName } of await listReferences(db(), "users")) {
    if (otherTables.includes(name)) continue;
    const query = sql`select count(*)::int as count from ${sql.identifier(name)} where ${sql.identifier(columnName)} = ${userId}
      and not (${sql.raw(isErased[name] ?? "false")})`;
    const [row] = await queryRows(db(), countRow, query);
    if (row?.count) counts[name] = row.count;
  }
  return counts;
}

test.each(Object.entries(writes))(
  "%s that waits for the person's erasure writes nothing about them",
  async (_name, one) => {
    const person = await aPerson();
    const write = (await one.prepare?.(person)) ?? one.write ?? expect.fail("nothing to write");
    const operator = { ...world.job, actor: { kind: "operator", name: "Jo" } as const, entrypoint: "command" as const };
    await requestErasure(operator, { userId: person.userId, isImmediate: true });
    let late: Promise<unknown> | undefined;
    await db().transaction(async (tx) => {
      await tx.execute(sql`select from accounts where id = ${person.ctx.actor.accountId} for update`);
      await tx.execute(sql`select from users where id = ${person.userId} for update`);
      late = write(person).catch(() => undefined);
      await waitUntilBlockedOrDone(db(), late);
      expect(await runDueErasures({ ...world.job, db: tx })).toBe(1);
    });
    await late;
    const left = await countRowsOf(person.userId);
    expect(Object.keys(left).filter((name) => one.tables.includes(name))).toEqual([]);
    expect(left).toEqual({});
  },
);
