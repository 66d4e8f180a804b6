import { eq, isNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { z } from "zod";
import { archiveLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import { runDueErasures } from "#app/domain/privacy/run-due-erasures.server.ts";
import { loadPortal } from "#app/portal/load-portal.server.ts";
import * as campaigns from "#app/screens/publisher/campaigns/list/route.tsx";
import * as profile from "#app/screens/publisher/profile/route.tsx";
import * as screen from "#app/screens/shared/profile/close/route.tsx";
import * as copy from "#app/screens/shared/profile/copy/route.ts";
import { erasures, users } from "#db/schema/index.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { messageOf, useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const path = "/publisher/profile/close";
const page = z.object({
  closesAccount: z.boolean(),
  blockers: z.array(z.string()),
  requestedFor: z.string().optional(),
});
const shown = async () => page.parse((await visit(world(), "fern", screen.loader, path)).body);
const act = (intent: string) => visit(world(), "fern", screen.action, path, { form: { intent } });

const shownInProfile = async () =>
  z
    .object({ erasure: page.omit({ blockers: true }) })
    .parse((await visit(world(), "fern", profile.loader, "/publisher/profile")).body).erasure;

it("is requested, shown with its day, and canceled", async () => {
  await world().subscribe("fern", undefined);
  expect(await shown()).toEqual({ closesAccount: true, blockers: [] });
  expect(await shownInProfile()).toEqual({ closesAccount: true });
  expect((await act("request")).location).toBe(path);
  expect((await shown()).requestedFor).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(await shownInProfile()).toMatchObject({ requestedFor: (await shown()).requestedFor });
  expect((await act("request")).location).toBe(path);
  expect(await world().db.$count(erasures)).toBe(1);
  expect((await act("cancel")).location).toBe("/publisher/profile");
  expect((await shown()).requestedFor).toBeUndefined();
});

it("shows what is open, and keeps the account", async () => {
  await world().subscribe("fern", "starter");
  expect((await shown()).blockers).toEqual([expect.stringContaining("Your plan is active")]);
  const refused = await act("request");
  expect(refused.status).toBe(409);
  expect(JSON.stringify(refused.body)).toContain("Your plan is active");
  expect(await world().db.$count(erasures, isNull(erasures.canceledAt))).toBe(0);
});

it("is possible once the publisher has done what the page says about campaigns that the advertiser paused", async () => {
  await world().subscribe("fern", "enterprise");
  const running = () => world().aRunningCampaign({ audiences: ["coffeeDrinkers"], approvedBy: ["fern"] });
  const [shelved, listed] = [await running(), await running()];
  for (const id of [shelved, listed]) await pauseCampaign(world().northwind, { id });
  await archiveLineItem(world().fern, { id: shelved });
  await world().subscribe("fern", undefined);
  expect((await shown()).blockers).toEqual([
    expect.stringMatching(/restore archived.*the advertiser has paused.*Pause/),
  ]);
  const select = (bulk: string, ids: string[], tab: string) =>
    visit(world(), "fern", campaigns.action, `/publisher/campaigns${tab}`, {
      form: [["bulk", bulk], ...ids.map((id): [string, string] => ["campaign", id])],
    });
  await select("pause", [listed], "");
  expect((await shown()).blockers).toHaveLength(1);
  await select("restore", [shelved], "?filter=archived");
  await select("pause", [shelved, listed], "");
  expect((await shown()).blockers).toEqual([]);
});

it("offers a copy as a file", async () => {
  const { status, body } = await visit(world(), "fern", copy.loader, "/publisher/profile/copy");
  expect(status).toBe(200);
  expect(JSON.stringify(body)).toContain("copied_at");
});

it.each([
  ["larkspur", "advertiser"],
  ["cobblestone", "publisher"],
] as const)("is open to %s, whose %s account waits for approval, without the portal around it", async (who, portal) => {
  const base = `/${portal}` as const;
  const path = `${base}/profile/close`;
  const layout = (url: string) =>
    visit(world(), who, ({ request, context }) => loadPortal(request, portal, context), url);
  expect(await layout(path)).toMatchObject({ status: 200, body: null });
  expect((await layout(`${base}/profile`)).status).toBe(403);
  const open = async () => page.parse((await visit(world(), who, screen.loader, path)).body);
  const send = (intent: string) => visit(world(), who, screen.action, path, { form: { intent } });
  expect(await open()).toEqual({ closesAccount: true, blockers: [] });
  const requested = await send("request");
  expect([requested.location, await messageOf(requested)]).toEqual([
    path,
    { tone: "success", message: "Requested. You can cancel it here." },
  ]);
  expect((await open()).requestedFor).toMatch(/^\d{4}-\d\d-\d\d$/);
  const canceled = await send("cancel");
  expect(canceled.location).toBe(path);
  expect((await open()).requestedFor).toBeUndefined();
  expect((await visit(world(), who, copy.loader, `${base}/profile/copy`)).status).toBe(200);
});

it("is carried out for an account that was never approved", async () => {
  const path = "/publisher/profile/close";
  await visit(world(), "cobblestone", screen.action, path, { form: { intent: "request" } });
  const dueAt = new Date(world().clock().getTime() + 8 * 86_400_000);
  expect(await runDueErasures({ ...world().job, clock: () => dueAt })).toBe(1);
  const [erased] = await world()
    .db.select()
    .from(users)
    .where(eq(users.id, demoUserId("cobblestone")));
  expect(erased).toMatchObject({ name: "Former user", erasedAt: dueAt });
});
