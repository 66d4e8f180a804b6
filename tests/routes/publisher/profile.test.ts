import { describe, expect, it } from "vitest";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { createApiKey } from "#app/domain/api-keys/create-api-key.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import * as advertiserProfile from "#app/screens/advertiser/profile/route.tsx";
import * as profile from "#app/screens/publisher/profile/route.tsx";
import { messageOf, useWorld, visit } from "./portal.ts";

const world = useWorld();
const send = (form: Record<string, string>, who: "harbor" | "fern" = "harbor") =>
  visit(world(), who, profile.action, "/publisher/profile", { form });

describe("the profile", () => {
  it("is saved, and keeps the input beside an error", async () => {
    const fields = { intent: "save-profile", company_name: "Harbor & Goods", monthly_visitors: "many" };
    expect(await send(fields)).toMatchObject({
      status: 422,
      body: {
        initialValue: { company_name: "Harbor & Goods", monthly_visitors: "many" },
        error: { monthly_visitors: ["Enter a whole number, 0 or more"] },
      },
    });
    expect((await send({ ...fields, monthly_visitors: "2,000" })).location).toBe("/publisher/profile");
    expect(await getProfile(world().harbor)).toMatchObject({ company_name: "Harbor & Goods", monthly_visitors: 2_000 });
  });

  it("lets an advertiser turn managed campaigns off and on", async () => {
    const save = (form: Record<string, string>) =>
      visit(world(), "northwind", advertiserProfile.action, "/advertiser/profile", {
        form: { intent: "save-profile", company_name: "Northwind Outdoors", ...form },
      });
    await save({});
    expect(await getProfile(world().northwind)).toMatchObject({ allows_managed_campaigns: false });
    await save({ allows_managed_campaigns: "on" });
    expect(await getProfile(world().northwind)).toMatchObject({ allows_managed_campaigns: true });
  });
});

describe("API keys", () => {
  it("shows a secret once, and creates one key however often the form is sent", async () => {
    const form = { intent: "create-key", name: "Nightly report", idempotency_key: crypto.randomUUID() };
    const first = await send(form);
    expect(first.body).toMatchObject({ createdKey: { name: "Nightly report", secret: expect.stringMatching(/^ek_/) } });
    expect(first.headers.get("Cache-Control")).toBe("no-store");
    expect(await send(form)).toMatchObject({ body: { createdKey: { name: "Nightly report", secret: undefined } } });
    expect((await listApiKeys(world().harbor, {})).rows).toHaveLength(1);
  });

  it("asks before revoking, and revokes only one's own", async () => {
    const [key] = (await listApiKeys(world().harbor, {})).rows;
    const id = key?.id ?? "";
    const response = await visit(world(), "harbor", profile.loader, `/publisher/profile?revoke=${id}`);
    expect(response.body).toMatchObject({ revoking: { id, name: "Nightly report" } });
    await send({ intent: "revoke-key", id }, "fern");
    expect((await listApiKeys(world().harbor, {})).rows).toHaveLength(1);
    expect((await send({ intent: "revoke-key", id })).location).toBe("/publisher/profile");
    expect((await listApiKeys(world().harbor, {})).rows).toEqual([]);
  });

  it("leads back to the profile with a message where a key does not exist, or is another account's", async () => {
    const { key } = await createApiKey(world().harbor, { name: "Warehouse" });
    const message = "This API key doesn't exist, or was already revoked.";
    for (const id of ["01900000-0000-7000-8000-000000000001", key.id]) {
      const revoked = await send({ intent: "revoke-key", id }, "fern");
      expect([revoked.location, await messageOf(revoked)]).toEqual(["/publisher/profile", { tone: "error", message }]);
    }
    for (const id of ["x", "01900000-0000-7000-8000-000000000001", key.id]) {
      const asked = await visit(world(), "fern", profile.loader, `/publisher/profile?revoke=${id}`);
      expect([asked.location, await messageOf(asked)]).toEqual(["/publisher/profile", { tone: "error", message }]);
    }
    expect((await listApiKeys(world().harbor, {})).rows).toHaveLength(1);
  });
});
