import { expect, it } from "vitest";
import { getMailSettings } from "#app/domain/notifications/get-mail-settings.server.ts";
import { unsubscribePath } from "#app/mail/unsubscribe-link.server.ts";
import * as profile from "#app/screens/advertiser/profile.tsx";
import * as screen from "#app/screens/public/unsubscribe.tsx";
import { sign } from "#app/web/signed.server.ts";
import { demoUserId } from "#db/seed/demo-accounts.ts";
import { newBrowser } from "#tests/support/browser.ts";
import { useWorld, visit } from "./publisher/portal.ts";

const world = useWorld();
const userId = demoUserId("northwind");
const path = () => unsubscribePath({ userId, event: "campaign_paused" });
const events = async () => (await getMailSettings(world().northwind, { userId })).events;
/** As a mail program posts: without a session, with RFC 8058's only field. */
const post = (to: string) => newBrowser().call(screen.action, to, { form: { "List-Unsubscribe": "One-Click" } });

it("asks first, then ends mails of that kind by one post without a session, and by a second", async () => {
  const asked = await newBrowser().call(screen.loader, path());
  expect(asked).toMatchObject({ status: 200, body: { what: "“The other side paused a campaign”" } });
  expect(await events()).toContain("campaign_paused");
  expect(await post(path())).toMatchObject({ status: 200, body: { isDone: true } });
  expect(await events()).not.toContain("campaign_paused");
  expect(await post(path())).toMatchObject({ status: 200, body: { isDone: true } });
  expect(await events()).toContain("campaign_resumed");
});

it("ends nothing by a link that was made up, changed, or signed for something else", async () => {
  const before = await events();
  const [token = ""] = path().split("token=").slice(1);
  const other = sign("unsubscribe", { user: demoUserId("harbor"), event: "campaign_resumed" });
  const made = [
    ...["", "none", `${token}x`, token.slice(0, -1), token.slice(1), "%00", ".", "a.b.c"],
    sign("flash", { user: userId, event: null }),
    sign("unsubscribe", { user: userId, event: "nonsense" }),
    sign("unsubscribe", { user: "01900000-0000-7000-8000-00000000ffff", event: null }),
    `${other.split(".")[0]}.${token.split(".")[1]}`,
  ];
  for (const one of made) {
    const to = `/unsubscribe?token=${encodeURIComponent(one)}`;
    expect((await newBrowser().call(screen.loader, to)).status, one).toBe(404);
    expect(await post(to), one).toMatchObject({ status: 404, body: { isDone: false } });
  }
  expect((await post("/unsubscribe")).status).toBe(404);
  expect(await events()).toEqual(before);
});

it("is undone on the profile, whose form keeps what was ticked beside an error", async () => {
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
  const refused = await save([["delivery", "daily"], ["time_zone", "Nowhere/Land"], ...two]);
  expect(refused).toMatchObject({
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
    ["delivery", "at_once"],
    ["time_zone", "UTC"],
    ["events", "wallet_low"],
  ]);
  expect(await events()).toEqual(["wallet_low"]);
});
