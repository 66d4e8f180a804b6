import { isNull } from "drizzle-orm";
import { expect, it } from "vitest";
import { z } from "zod";
import { archiveLineItem } from "#app/domain/campaigns/archive/archive-line-item.server.ts";
import { pauseCampaign } from "#app/domain/campaigns/pause-campaign.server.ts";
import * as campaigns from "#app/screens/publisher/campaigns/list/route.tsx";
import * as profile from "#app/screens/publisher/profile/route.tsx";
import * as screen from "#app/screens/shared/profile/close/route.tsx";
import * as copy from "#app/screens/shared/profile/copy/route.ts";
import { erasures } from "#db/schema/index.ts";
import { useWorld, visit } from "../publisher/portal.ts";

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
