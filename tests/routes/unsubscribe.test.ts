import { expect, it } from "vitest";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { unsubscribePath } from "#app/mail/unsubscribe-link.server.ts";
import * as profile from "#app/screens/advertiser/profile/route.tsx";
import * as screen from "#app/screens/public/unsubscribe/route.tsx";
import { sign } from "#app/web/signed-value.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import { useWorld, visit } from "./publisher/portal.ts";

const world = useWorld();
const userId = demoUserId("northwind");
const path = () => unsubscribePath({ userId, event: "campaign_paused" });
const events = async () => (await getMailSettings(world().northwind, { userId })).events;
/** Posts as an email client does: without a session, with the only field of RFC 8058. */
const post = (to: string) => createRouteClient().call(screen.action, to, { form: { "List-Unsubscribe": "One-Click" } });

it("asks for confirmation, then unsubscribes from that kind by a POST without a session, repeatably", async () => {
  const response = await createRouteClient().call(screen.loader, path());
  expect(response).toMatchObject({ status: 200, body: { what: "“Campaign paused”" } });
  expect(await events()).toContain("campaign_paused");
  expect(await post(path())).toMatchObject({ status: 200, body: { isDone: true } });
  expect(await events()).not.toContain("campaign_paused");
  expect(await post(path())).toMatchObject({ status: 200, body: { isDone: true } });
  expect(await events()).toContain("campaign_resumed");
});

it("changes nothing for a link that is invented, changed, or signed for another purpose", async () => {
  const before = await events();
  const [token = ""] = path().split("token=").slice(1);
  const other = sign("unsubscribe", { user: demoUserId("harbor"), event: "campaign_resumed" });
  const created = [
    ...["", "none", `${token}x`, token.slice(0, -1), token.slice(1), "%00", ".", "a.b.c"],
    sign("flash", { user: userId, event: null }),
    sign("unsubscribe", { user: userId, event: "nonsense" }),
    sign("unsubscribe", { user: "01900000-0000-7000-8000-00000000ffff", event: null }),
    `${other.split(".")[0]}.${token.split(".")[1]}`,
  ];
  for (const one of created) {
    const to = `/unsubscribe?token=${encodeURIComponent(one)}`;
    expect((await createRouteClient().call(screen.loader, to)).status, one).toBe(404);
    expect(await post(to), one).toMatchObject({ status: 404, body: { isDone: false } });
  }
  expect((await post("/unsubscribe")).status).toBe(404);
  expect(await events()).toEqual(before);
});

it("stays in force when a settings form that was opened before is saved, which changes only what its person changed", async () => {
  const opened = await events();
  expect(opened).toEqual(expect.arrayContaining(["campaign_resumed", "wallet_low", "wallet_empty"]));
  expect(await post(unsubscribePath({ userId, event: "campaign_resumed" }))).toMatchObject({ status: 200 });
  const save = (checked: readonly string[]) => {
    const multipart = new FormData();
    for (const [name, value] of Object.entries({ intent: "save-mails", delivery: "immediate", time_zone: "UTC" }))
      multipart.append(name, value);
    multipart.append("opened_events", opened.join(" "));
    for (const event of checked) multipart.append("events", event);
    return visit(world(), "northwind", profile.action, "/advertiser/profile", { multipart });
  };
  expect((await save(opened.filter((event) => event !== "wallet_low"))).status).toBe(302);
  const left = opened.filter((event) => event !== "campaign_resumed" && event !== "wallet_low");
  expect(await events()).toEqual(left);
  expect((await save([...opened, "campaign_paused"])).status).toBe(302);
  expect((await events()).sort()).toEqual([...left, "campaign_paused"].sort());
});

it("can be undone on the profile, whose form keeps its checkboxes beside an error", async () => {
  const save = (fields: [string, string][]) => {
    const multipart = new FormData();
    for (const [name, value] of [["intent", "save-mails"], ...fields] as [string, string][])
      multipart.append(name, value);
    return visit(world(), "northwind", profile.action, "/advertiser/profile", { multipart });
  };
  const two: [string, string][] = [
    ["events", "campaign_paused"],
    ["events", "wallet_low"],
  ];
  const rejected = await save([["delivery", "daily"], ["time_zone", "Nowhere/Land"], ...two]);
  expect(rejected).toMatchObject({
    status: 422,
    body: {
      initialValue: { delivery: "daily", events: ["campaign_paused", "wallet_low"] },
      error: { time_zone: ["Choose a time zone from the list"] },
    },
  });
  const saved = await save([["delivery", "daily"], ["time_zone", "Asia/Tokyo"], ...two]);
  expect(saved.location).toBe("/advertiser/profile#mails");
  const settings = { delivery: "daily", time_zone: "Asia/Tokyo", events: ["campaign_paused", "wallet_low"] };
  expect(await getMailSettings(world().northwind, { userId })).toEqual(settings);
  await save([
    ["delivery", "daily"],
    ["time_zone", "Asia/Tokyo"],
  ]);
  expect(await events()).toEqual([]);
  await save([
    ["delivery", "immediate"],
    ["time_zone", "UTC"],
    ["events", "wallet_low"],
  ]);
  expect(await events()).toEqual(["wallet_low"]);
});
