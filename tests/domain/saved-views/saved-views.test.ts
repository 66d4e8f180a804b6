import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import type { UserId } from "#app/domain/ids.ts";
import { deleteSavedView } from "#app/domain/saved-views/delete-saved-view.server.ts";
import { getSavedView, listSavedViews } from "#app/domain/saved-views/list-saved-views.server.ts";
import { saveView } from "#app/domain/saved-views/save-view.server.ts";
import { type SavedViewList, savedViewLimits } from "#app/domain/saved-views/saved-view.ts";
import { newSavedViewSchema } from "#app/domain/saved-views/saved-view-payloads.ts";
import { updateSavedView } from "#app/domain/saved-views/update-saved-view.server.ts";
import { savedViews, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { newUser } from "#tests/domain/accounts/people.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { waitForBlockedSessions } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
const userId = demoUserId("northwind");
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});
beforeEach(() => db().delete(savedViews));

type Change = Partial<{ list: SavedViewList; name: string; query: string; userId: UserId; ctx: Ctx<TenantActor> }>;
const save = ({ ctx = world.northwind, ...change }: Change = {}) =>
  saveView(ctx, { userId, list: "campaigns", name: "Active by ROAS", query: "status=active&sort=roas", ...change });
const namesOf = async (ctx: Ctx<TenantActor> = world.northwind, list: SavedViewList = "campaigns") =>
  (await listSavedViews(ctx, { userId, list })).map(({ name }) => name);

describe("a person", () => {
  test("saves a list's query under a name, renames it and replaces its query", async () => {
    const { id } = await save();
    await updateSavedView(world.northwind, { userId, id, name: "Best first" });
    await updateSavedView(world.northwind, { userId, id, query: "?sort=ctr&columns=&cursor=abc" });
    expect(await getSavedView(world.northwind, { userId, id })).toEqual({
      id,
      list: "campaigns",
      name: "Best first",
      query: "columns=&sort=ctr",
    });
    await deleteSavedView(world.northwind, { userId, id });
    await expectDomainError(getSavedView(world.northwind, { userId, id }), "not_found");
    await expectDomainError(deleteSavedView(world.northwind, { userId, id }), "not_found");
  });

  test("cannot rename a view that is deleted meanwhile", async () => {
    const { id } = await save();
    const { renamed } = await db().transaction(async (tx) => {
      await deleteSavedView({ ...world.northwind, db: tx }, { userId, id });
      const started = { renamed: deferRejection(updateSavedView(world.northwind, { userId, id, name: "Late" })) };
      await waitForBlockedSessions(db(), 1);
      return started;
    });
    await expectDomainError(renamed, "not_found");
  });

  test("has the views of each list by name", async () => {
    await save({ name: "b" });
    await save({ name: "A" });
    await save({ name: "Boots", list: "products", query: "q=boots" });
    expect(await namesOf()).toEqual(["A", "b"]);
    expect(await namesOf(world.northwind, "products")).toEqual(["Boots"]);
  });

  test("has each name once on a list, in whatever case", async () => {
    const { id } = await save();
    const nameConflict = await domainErrorFrom(save({ name: "active BY roas" }));
    expect(nameConflict.fields).toEqual({ name: ["You have a view with this name. Choose another one."] });
    const other = await save({ name: "Other" });
    await expectDomainError(
      updateSavedView(world.northwind, { userId, id: other.id, name: "ACTIVE BY ROAS" }),
      "invalid_input",
    );
    await updateSavedView(world.northwind, { userId, id, name: "ACTIVE BY ROAS" });
    await save({ list: "products", query: "" });
    expect(await namesOf()).toEqual(["ACTIVE BY ROAS", "Other"]);
  });

  test("saves at most 20 views of a list, also at once", async () => {
    const saved = await Promise.allSettled(
      Array.from({ length: savedViewLimits.perList + 4 }, (_, number) => save({ name: `View ${number}` })),
    );
    expect(saved.filter(({ status }) => status === "fulfilled")).toHaveLength(savedViewLimits.perList);
    await expectDomainError(save({ name: "One more" }), "limit_reached", /limit of 20 views of this list/);
    await save({ list: "products", query: "" });
  });

  test("has views of test mode apart from the live ones", async () => {
    const test: Ctx<TenantActor> = { ...world.northwind, entrypoint: "test_mode" };
    const { id } = await save({ ctx: test });
    await save();
    expect(await namesOf(test)).toEqual(["Active by ROAS"]);
    await expectDomainError(getSavedView(world.northwind, { userId, id }), "not_found");
  });

  test("takes the views along when leaving", async () => {
    const leaving = await newUser();
    await db()
      .update(users)
      .set({ accountId: world.accountId("northwind") })
      .where(eq(users.id, leaving));
    await save({ userId: leaving });
    await db().delete(users).where(eq(users.id, leaving));
    expect(await db().$count(savedViews)).toBe(0);
  });
});

describe("nobody else", () => {
  test("reads, changes or deletes a view, in the same account or another", async () => {
    const { id } = await save();
    const colleague = await newUser();
    await db()
      .update(users)
      .set({ accountId: world.accountId("northwind") })
      .where(eq(users.id, colleague));
    for (const [ctx, other] of [
      [world.northwind, colleague],
      [world.brightside, demoUserId("brightside")],
      [world.brightside, userId],
      [world.harbor, demoUserId("harbor")],
    ] as const) {
      expect(await listSavedViews(ctx, { userId: other, list: "campaigns" })).toEqual([]);
      await expectDomainError(getSavedView(ctx, { userId: other, id }), "not_found");
      await expectDomainError(updateSavedView(ctx, { userId: other, id, name: "Mine" }), "not_found");
      await expectDomainError(deleteSavedView(ctx, { userId: other, id }), "not_found");
    }
    expect(await namesOf()).toEqual(["Active by ROAS"]);
    await save({ userId: colleague });
  });

  test("saves a view for a person of another account", async () => {
    await expectDomainError(save({ ctx: world.brightside }), "not_found");
  });
});

describe("the query of a view", () => {
  test("has only the parameters of its list, without markup or another URL", async () => {
    const hostile =
      "https://evil.example/?q=<script>&next=//evil.example&cursor=1&saved=2&status=%22%3E\0&q=%2F%2Fhost";
    const { query } = await save({ query: hostile });
    expect(query).toBe("q=%2F%2Fhost&status=%22%3E%00");
  });

  test("is rejected if it is too long, or if the side has no such list", async () => {
    await expectDomainError(save({ query: `q=${"a".repeat(savedViewLimits.query)}` }), "invalid_input");
    await expectDomainError(save({ list: "audiences", query: "" }), "invalid_input");
    const { id } = await save();
    const query = `q=${"ä".repeat(savedViewLimits.query / 2)}`;
    await expectDomainError(updateSavedView(world.northwind, { userId, id, query }), "invalid_input");
  });

  test("has a name of 1 to 60 characters", () => {
    const parse = (name: string) => newSavedViewSchema.safeParse({ list: "campaigns", query: "", name }).success;
    expect(["a", "🥾".repeat(60), " ", "a".repeat(61)].map(parse)).toEqual([true, true, false, false]);
  });
});
