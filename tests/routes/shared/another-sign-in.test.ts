import { describe, expect, it } from "vitest";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import * as wizard from "#app/screens/advertiser/campaigns/create/route.tsx";
import * as profile from "#app/screens/advertiser/profile/route.tsx";
import * as creatives from "#app/screens/shared/creatives/list/route.tsx";
import type { DemoTenant } from "#db/seed/demo-accounts.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

/** The page of one person's sign-in has its id in each form. */
const viewerOf = (who: "northwind" | "brightside") => world()[who].actor.userId ?? "";
const rejection = expect.stringMatching(
  /^This form was opened under another sign-in, so nothing was changed\. You are now signed in as \S+@example\.com\./,
);

describe("a form of a page that was opened before another person signed in", () => {
  const save = (who: DemoTenant, viewer: string) =>
    visit(world(), who, profile.action, "/advertiser/profile", {
      form: { viewer, intent: "save-profile", company_name: "Northwind renamed", website: "https://north.example" },
    });

  it("changes nothing of that person's account, and keeps what was entered", async () => {
    const before = await getProfile(world().brightside);
    expect(await save("brightside", viewerOf("northwind"))).toMatchObject({
      status: 412,
      body: {
        initialValue: { company_name: "Northwind renamed", website: "https://north.example" },
        error: { "": [rejection] },
      },
    });
    expect(await getProfile(world().brightside)).toEqual(before);
  });

  it("is saved for the person whose page it is", async () => {
    expect((await save("northwind", viewerOf("northwind"))).status).toBe(302);
    expect(await getProfile(world().northwind)).toMatchObject({ company_name: "Northwind renamed" });
  });

  it("creates neither a key nor a campaign there", async () => {
    const viewer = viewerOf("northwind");
    const [keys, campaigns] = [await listApiKeys(world().brightside, {}), await listCampaigns(world().brightside, {})];
    const created = await visit(world(), "brightside", profile.action, "/advertiser/profile", {
      form: { viewer, intent: "create-key", name: "Nightly", idempotency_key: crypto.randomUUID() },
    });
    expect(created).toMatchObject({ status: 412 });
    const form = { viewer, name: "Spring", objective: "traffic", intent: "next", idempotency_key: crypto.randomUUID() };
    const draft = await visit(world(), "brightside", wizard.action, "/advertiser/campaigns/create", { form });
    expect(draft).toMatchObject({ status: 412, body: { initialValue: { name: "Spring" } } });
    expect(await listApiKeys(world().brightside, {})).toEqual(keys);
    expect(await listCampaigns(world().brightside, {})).toEqual(campaigns);
  });

  it("stores no file there", async () => {
    const multipart = new FormData();
    multipart.set("viewer", viewerOf("northwind"));
    multipart.set("file", new File(["not read"], "ad.png", { type: "image/png" }));
    const sent = await visit(world(), "brightside", creatives.action, "/advertiser/creatives", { multipart });
    expect(sent).toMatchObject({ status: 412 });
    expect((await listCreatives(world().brightside, {})).rows).toEqual([]);
  });
});
