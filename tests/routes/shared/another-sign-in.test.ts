import { describe, expect, it } from "vitest";
import { getProfile } from "#app/domain/accounts/get-profile.server.ts";
import { listApiKeys } from "#app/domain/api-keys/list-api-keys.server.ts";
import { listCampaigns } from "#app/domain/campaigns/list-campaigns.server.ts";
import { listProducts } from "#app/domain/catalog/list-products.server.ts";
import { listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import { loadPortal } from "#app/portal/load-portal.server.ts";
import * as wizard from "#app/screens/advertiser/campaigns/create/route.tsx";
import * as editCampaign from "#app/screens/advertiser/campaigns/edit/route.tsx";
import * as profile from "#app/screens/advertiser/profile/route.tsx";
import * as editAudience from "#app/screens/publisher/audiences/edit/route.tsx";
import * as upload from "#app/screens/publisher/audiences/upload/route.tsx";
import * as creatives from "#app/screens/shared/creatives/list/route.tsx";
import * as editProduct from "#app/screens/shared/products/edit/route.tsx";
import * as close from "#app/screens/shared/profile/close/route.tsx";
import { erasures } from "#db/schema/index.ts";
import { type DemoTenant, demoUserId } from "#db/seed/demo-accounts.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();

/** The page of one person's sign-in has its id in each form. */
const viewerOf = (who: "northwind" | "brightside" | "harbor") => world()[who].actor.userId ?? "";
const rejection = expect.stringMatching(
  /^This form belongs to another account, so nothing was changed\. You are signed in as \S+@example\.com\./,
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

  it("is shown again with the id of the person who filled it in, so that it is rejected again", async () => {
    const shownAgain = await visit(
      world(),
      "brightside",
      async ({ request, context, params }) => {
        await profile.action({ request, context, params });
        const { url, headers } = request;
        return loadPortal(new Request(url, { headers }), "advertiser", context);
      },
      "/advertiser/profile",
      { form: { viewer: viewerOf("northwind"), intent: "save-profile", company_name: "Northwind renamed" } },
    );
    expect(shownAgain.body).toMatchObject({
      viewer: { id: viewerOf("northwind"), email: "second-advertiser@example.com" },
    });
  });

  it("keeps what was entered about a product, an audience and a campaign that the person does not have", async () => {
    const [product] = (await listProducts(world().northwind, {})).rows;
    const params = { id: product?.id ?? "" };
    const form = { viewer: viewerOf("northwind"), name: "Kettle of another" };
    const rejected = { status: 412, body: { initialValue: { name: "Kettle of another" }, error: { "": [rejection] } } };
    const path = `/advertiser/products/${params.id}/edit`;
    expect(await visit(world(), "brightside", editProduct.action, path, { form, params })).toMatchObject(rejected);

    const id = world().audience("campers");
    const audience = { form: { viewer: viewerOf("harbor"), name: "Kettle of another" }, params: { id } };
    const audiencePath = `/publisher/audiences/${id}/edit`;
    expect(await visit(world(), "fern", editAudience.action, audiencePath, audience)).toMatchObject(rejected);

    const draft = { form: { ...form, intent: "next" }, params: { id: await world().aDraft() } };
    const step = `/advertiser/campaigns/${draft.params.id}/edit?step=1`;
    expect(await visit(world(), "brightside", editCampaign.action, step, draft)).toMatchObject(rejected);
  });

  it("stores no file of a campaign or an audience that the person does not have, whoever the form is of", async () => {
    const id = await world().aDraft();
    const files = (viewer: string) => {
      const multipart = new FormData();
      multipart.set("viewer", viewer);
      multipart.set("intent", "upload");
      multipart.set("file", new File(["not read"], "ad.png", { type: "image/png" }));
      return { multipart, params: { id } };
    };
    const step = `/advertiser/campaigns/${id}/edit?step=2`;
    const send = async (viewer: string) =>
      (await visit(world(), "brightside", editCampaign.action, step, files(viewer))).status;
    expect([await send(viewerOf("northwind")), await send(viewerOf("brightside"))]).toEqual([412, 404]);
    expect((await listCreatives(world().brightside, {})).rows).toEqual([]);

    const params = { id: world().audience("campers") };
    const uploads = `/publisher/audiences/${params.id}/uploads`;
    const { multipart } = files(viewerOf("harbor"));
    expect((await visit(world(), "fern", upload.action, uploads, { multipart, params })).status).toBe(412);
  });

  it("requests no erasure for a person whose account is not approved", async () => {
    const path = "/advertiser/profile/close";
    const page = await visit(world(), "larkspur", close.loader, path);
    expect(page.body).toMatchObject({ withoutPortal: { viewerId: demoUserId("larkspur") } });
    const form = { viewer: viewerOf("northwind"), intent: "request" };
    expect((await visit(world(), "larkspur", close.action, path, { form })).status).toBe(412);
    expect(await world().db.$count(erasures)).toBe(0);
  });
});
