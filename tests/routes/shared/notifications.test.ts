import { expect, it } from "vitest";
import { z } from "zod";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { countUnread } from "#app/domain/notifications/list-notifications.server.ts";
import * as screen from "#app/screens/shared/notifications/notifications.tsx";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const path = "/advertiser/notifications";
const page = z.object({ rows: z.array(z.object({ id: z.string(), title: z.string(), isRead: z.boolean() })) });

async function listed(query = "") {
  return page.parse((await visit(world(), "northwind", screen.loader, `${path}${query}`)).body).rows;
}

it("lead to what they tell of, and are read then; another account's are not there", async () => {
  const id = await world().aLaunchedCampaign();
  await reviewCampaign(world().harbor, { id, action: "reject", notes: "Too early" });
  const [newest, first] = await listed();
  expect([newest?.title, newest?.isRead]).toEqual(["Harbor Goods rejected “Ridgeline Packs”", false]);
  expect(first?.title).toBe("“Ridgeline Packs” is submitted");
  expect(await countUnread(world().northwind)).toBe(2);
  const form = { id: newest?.id ?? "" };
  const others = await visit(world(), "harbor", screen.action, "/publisher/notifications", { form });
  expect(others.location).toBe("/publisher/notifications");
  const opened = await visit(world(), "northwind", screen.action, path, { form });
  expect(opened.location).toBe(`/advertiser/campaigns/${id}`);
  expect(await countUnread(world().northwind)).toBe(1);
  expect((await listed("?show=unread")).map(({ title }) => title)).toEqual(["“Ridgeline Packs” is submitted"]);
  expect(await countUnread(world().harbor)).toBe(1);
});

it("are all read at once, and only the account's own", async () => {
  const answer = await visit(world(), "northwind", screen.action, path, { form: { intent: "read-all" } });
  expect(answer.location).toBe(path);
  expect(await listed("?show=unread")).toEqual([]);
  expect(await countUnread(world().harbor)).toBe(1);
});

it("are never more than the address may ask for", async () => {
  for (const query of ["?show=nonsense", "?cursor=none", "?show=unread&cursor=%00"])
    expect(await listed(query)).toBeDefined();
  const post = (form: Record<string, string>) => visit(world(), "northwind", screen.action, path, { form });
  expect((await post({ intent: "nonsense" })).location).toBe(path);
  expect((await post({ id: "none" })).location).toBe(path);
  expect((await post({ id: "01900000-0000-7000-8000-000000000001" })).location).toBe(path);
});
