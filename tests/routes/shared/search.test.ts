import { describe, expect, it } from "vitest";
import { z } from "zod";
import { archiveCampaign } from "#app/domain/campaigns/archive/archive-campaign.server.ts";
import * as offered from "#app/screens/advertiser/audiences/detail/route.tsx";
import * as campaigns from "#app/screens/advertiser/campaigns/list/route.tsx";
import * as help from "#app/screens/shared/help/route.tsx";
import * as latest from "#app/screens/shared/notifications/latest/route.ts";
import * as notifications from "#app/screens/shared/notifications/route.tsx";
import * as preferences from "#app/screens/shared/preferences/route.ts";
import * as results from "#app/screens/shared/search/results/route.ts";
import * as screen from "#app/screens/shared/search/route.tsx";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const viewSchema = z.object({
  q: z.string(),
  groups: z.array(
    z.object({
      label: z.string(),
      count: z.string().optional(),
      more: z.object({ href: z.string(), label: z.string() }).optional(),
      items: z.array(z.object({ id: z.string(), href: z.string(), title: z.string(), detail: z.string() })),
    }),
  ),
});

async function searched(who: "northwind" | "harbor", path: string) {
  const { body } = await visit(world(), who, screen.loader, path);
  const { q, groups } = viewSchema.parse(body);
  return { q, groups: Object.fromEntries(groups.map((group) => [group.label, group])) };
}

describe("the search page", () => {
  it("shows an advertiser its results by kind, with the lists that show all that match", async () => {
    const id = await world().aLaunchedCampaign();
    const { groups } = await searched("northwind", "/advertiser/search?q=%20ridgeline ");
    expect(groups.Campaigns).toEqual({
      label: "Campaigns",
      more: { href: "/advertiser/campaigns?q=ridgeline", label: "All campaigns that match" },
      items: [
        { id: `campaign-${id}`, href: `/advertiser/campaigns/${id}`, title: "Ridgeline Packs", detail: "Pending" },
      ],
    });
    expect(groups.Products?.items.map(({ title, detail }) => [title, detail])).toContainEqual([
      "Ridgeline 40 Pack",
      "NW-PK-040 · Packs",
    ]);
    const audience = world().audience("hikers");
    const { groups: hikers } = await searched("northwind", "/advertiser/search?q=weekend+hikers");
    expect(hikers.Audiences?.items).toEqual([
      {
        id: `audience-${audience}`,
        href: `/advertiser/audiences/${audience}`,
        title: "Weekend hikers",
        detail: "Harbor Goods · Category enthusiasts",
      },
    ]);
    expect(hikers.Audiences?.more).toBeUndefined();
  });

  it("counts all that match, and leads to a list of as many", async () => {
    for (let number = 1; number <= 7; number += 1) await world().aDraft({ name: `Beryl ${number}` });
    const { groups } = await searched("northwind", "/advertiser/search?q=beryl");
    expect(groups.Campaigns).toMatchObject({
      count: "7",
      more: { href: "/advertiser/campaigns?q=beryl", label: "Show all 7 campaigns" },
    });
    expect(groups.Campaigns?.items).toHaveLength(5);
    const list = await visit(world(), "northwind", campaigns.loader, "/advertiser/campaigns?q=beryl");
    expect(list.body).toMatchObject({ matching: 7 });
    await archiveCampaign(world().northwind, { id: await world().aDraft({ name: "Beryl 0" }) });
    const { groups: fewer } = await searched("northwind", "/advertiser/search?q=beryl");
    expect(fewer.Campaigns?.more?.label).toBe("Show 7 campaigns that are not archived");
    expect(fewer.Campaigns?.items.map(({ detail }) => detail)).toContain("Archived");
  });

  it("leads to the archived campaigns where no other matches", async () => {
    await archiveCampaign(world().northwind, { id: await world().aDraft({ name: "Olivine" }) });
    const { groups } = await searched("northwind", "/advertiser/search?q=olivine");
    expect(groups.Campaigns?.more).toEqual({
      href: "/advertiser/campaigns?status=archived&q=olivine",
      label: "Archived campaigns that match",
    });
    const list = await visit(world(), "northwind", campaigns.loader, String(groups.Campaigns?.more?.href));
    expect(list.body).toMatchObject({ matching: 1 });
  });

  it("leads a publisher from a pending campaign to its review, and stays in its mode", async () => {
    const id = await world().aLaunchedCampaign({ changes: { name: "To be reviewed" } });
    const { groups } = await searched("harbor", "/publisher/search?q=to+be+rev");
    expect(groups.Campaigns?.items).toEqual([
      {
        id: `line_item-${id}`,
        href: `/publisher/approval/${id}`,
        title: "To be reviewed",
        detail: "Northwind Outdoors · Needs your review",
      },
    ]);
    const { groups: demo } = await searched("harbor", "/publisher/test-mode/search?q=to+be+rev");
    expect(demo.Campaigns?.items[0]?.href).toBe(`/publisher/test-mode/approval/${id}`);
  });

  it("finds pages and actions by label and by other words, each side its own", async () => {
    const { groups } = await searched("northwind", "/advertiser/search?q=wallet");
    expect(groups.Actions?.items.map(({ title, href }) => [title, href])).toEqual([
      ["Top up", "/advertiser/billing/top-up"],
    ]);
    expect(groups.Pages?.items.map(({ title }) => title)).toEqual(["Billing & Spend"]);
    expect((await searched("harbor", "/publisher/search?q=top+up")).groups.Actions).toBeUndefined();
    expect((await searched("harbor", "/publisher/search?q=payout+acc")).groups.Pages?.items[0]?.href).toBe(
      "/publisher/revenue/account",
    );
  });

  it("shows where one can go without a text, and nothing for a text that matches nothing", async () => {
    expect(Object.keys((await searched("northwind", "/advertiser/search")).groups)).toEqual(["Actions", "Pages"]);
    expect((await searched("northwind", "/advertiser/search?q=qqqqq")).groups).toEqual({});
    expect((await searched("northwind", `/advertiser/search?q=${"%00"}`)).q).toBe("");
    expect((await searched("northwind", `/advertiser/search?q=${"x".repeat(5_000)}`)).q).toHaveLength(200);
  });
});

it("the dialog's resource has the page's answer and is stored nowhere", async () => {
  const page = await visit(world(), "northwind", screen.loader, "/advertiser/search?q=ridge");
  const resource = await visit(world(), "northwind", results.loader, "/advertiser/search/results?q=ridge");
  expect(viewSchema.parse(resource.body)).toEqual(viewSchema.parse(page.body));
  expect(resource.headers.get("Cache-Control")).toBe("private, no-store");
});

it("an advertiser reads of an offered audience what a campaign's step shows, and never its size", async () => {
  const id = world().audience("hikers");
  const found = await visit(world(), "northwind", offered.loader, `/advertiser/audiences/${id}`, { params: { id } });
  expect(found.body).toMatchObject({ audience: { name: "Weekend hikers", publisherName: "Harbor Goods" } });
  expect(JSON.stringify(found.body)).not.toContain("84312");
  const none = await visit(world(), "northwind", offered.loader, "/advertiser/audiences/none", {
    params: { id: "none" },
  });
  expect(none.status).toBe(404);
});

describe("preferences", () => {
  const set = (form: Record<string, string>) =>
    visit(world(), "northwind", preferences.action, "/advertiser/preferences", { form });
  const cookies = (headers: Headers) => headers.getSetCookie().map((cookie) => cookie.split(";")[0]);

  it("set the theme and single keys in this browser, and return to the page", async () => {
    const dark = await set({ theme: "dark", back: "/advertiser/campaigns?q=x" });
    expect(dark.location).toBe("/advertiser/campaigns?q=x");
    expect(cookies(dark.headers)).toEqual([expect.stringMatching(/^portal_theme=.+/)]);
    expect(cookies((await set({ theme: "system" })).headers)).toEqual(["portal_theme="]);
    expect(cookies((await set({ shortcuts: "off" })).headers)).toEqual([expect.stringMatching(/^portal_shortcuts=.+/)]);
    expect(cookies((await set({ shortcuts: "on" })).headers)).toEqual(["portal_shortcuts="]);
  });

  it("change nothing for other values, and lead to no other site", async () => {
    const response = await set({ theme: "red", shortcuts: "maybe", back: "//evil.example" });
    expect([response.location, cookies(response.headers)]).toEqual(["/advertiser", []]);
  });

  it("lead to the dashboard when a sign-in returns to their URL, which has no page", async () => {
    const response = await visit(world(), "northwind", preferences.loader, "/advertiser/preferences");
    expect([response.location, cookies(response.headers)]).toEqual(["/advertiser/dashboard", []]);
  });

  it("are what the help page shows", async () => {
    const { body } = await visit(world(), "northwind", help.loader, "/advertiser/help");
    expect(body).toMatchObject({ singleKeys: true, portal: "advertiser" });
  });
});

it("the bell's popover has the newest notifications, and marking all as read returns to the page", async () => {
  await world().aLaunchedCampaign({ changes: { name: "For the bell" } });
  const rows = z.array(z.object({ id: z.string(), title: z.string(), isRead: z.boolean(), when: z.string() }));
  const read = async (who: "northwind" | "harbor", path: string) =>
    rows.parse((await visit(world(), who, latest.loader, path)).body);
  const found = await read("harbor", "/publisher/notifications/latest");
  expect(found.length).toBeLessThanOrEqual(6);
  expect(found[0]?.title).toContain("For the bell");
  expect(found[0]?.isRead).toBe(false);
  const post = (back: string) =>
    visit(world(), "harbor", notifications.action, "/publisher/notifications", { form: { intent: "read-all", back } });
  expect((await post("https://evil.example")).location).toBe("/publisher/notifications");
  expect((await post("/publisher/revenue")).location).toBe("/publisher/revenue");
  expect((await read("harbor", "/publisher/notifications/latest")).every(({ isRead }) => isRead)).toBe(true);
});
