import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addDays } from "#app/domain/calendar-date.ts";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import { createProduct } from "#app/domain/catalog/create-product.server.ts";
import { productSchema } from "#app/domain/catalog/product-payloads.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import * as autosaved from "#app/screens/advertiser/campaigns/autosave/route.ts";
import * as advertiserBudget from "#app/screens/advertiser/campaigns/budget/route.tsx";
import * as wizard from "#app/screens/advertiser/campaigns/edit/route.tsx";
import * as budget from "#app/screens/publisher/campaigns/budget/route.tsx";
import * as edit from "#app/screens/publisher/campaigns/edit/route.tsx";
import { audiences, products } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { campaignChanges } from "#tests/support/world.ts";
import { messageOf, useWorld, visit } from "./portal.ts";

const world = useWorld();
let id: CampaignId;
beforeAll(async () => {
  id = await createManaged({ geolocations: ["us", "ca"] });
});

async function createManaged(more: Record<string, unknown>): Promise<CampaignId> {
  const advertiser_id = world().accountId("northwind");
  const fields = { ...world().complete(["hikers", "campers"]), advertiser_id, ...more };
  return (await createManagedCampaign(world().harbor, managedCampaignSchema.parse(fields))).id;
}

const content = async () => (await getCampaign(world().northwind, id)).content;
const post = (
  who: "harbor" | "fern" | "northwind",
  handler: Parameters<typeof visit>[2],
  form: Record<string, string>,
  campaign = id,
) =>
  visit(world(), who, handler, `/${who === "northwind" ? "advertiser" : "publisher"}/campaigns/${campaign}/edit`, {
    form,
    params: { id: campaign },
  });

describe("a managed campaign's pages", () => {
  it("open with the stored values for the publisher that manages it, and for no other", async () => {
    for (const { loader } of [edit, budget]) {
      const own = await visit(world(), "harbor", loader, `/publisher/campaigns/${id}/edit`, { params: { id } });
      expect(own.body).toMatchObject({ stored: { budget: "5000", daily_budget: "500" } });
      const foreign = await visit(world(), "fern", loader, `/publisher/campaigns/${id}/edit`, { params: { id } });
      expect(foreign.status).toBe(404);
    }
  });

  it("save while a product is not active any more, and say what to do about it", async () => {
    const fields = { name: "Old tent", sku: "OLD-1", category: "Camping", price: 90 };
    const { id: product } = await createProduct(world().northwind, productSchema.parse(fields));
    const creative = await insertCreative(world().db, world().accountId("harbor"));
    const other = await createManaged({ creative_ids: [creative], selected_products: [product] });
    await world().db.update(products).set({ listingStatus: "draft" }).where(eq(products.id, product));
    const form = { budget: "6000", daily_budget: "600", end_date: addDays(world().today(), 30) };
    const saved = await post("harbor", budget.action, form, other);
    expect(saved.location).toBe(`/publisher/campaigns/${other}`);
    expect(await messageOf(saved)).toMatchObject({
      tone: "success",
      message: expect.stringContaining(
        "1 product is not active in the advertiser's catalog. Ask the advertiser to make it active or to remove it.",
      ),
    });
  });

  it("save budgets and end date as a version that runs, and show errors at their fields", async () => {
    const end = addDays(world().today(), 30);
    const saved = await post("harbor", budget.action, { budget: "7,500", daily_budget: "600", end_date: end });
    expect(saved.location).toBe(`/publisher/campaigns/${id}`);
    expect(await content()).toMatchObject({ totalBudgetCents: 750_000, dailyBudgetCents: 60_000, endDate: end });
    const empty = await post("harbor", budget.action, { daily_budget: "600", end_date: end });
    expect([empty.status, empty.body]).toMatchObject([422, { error: { budget: ["Enter a budget greater than $0"] } }]);
    expect((await post("fern", budget.action, { budget: "1" })).status).toBe(404);
  });

  it("offer a selected audience that has shrunk, and keep it until it is deselected", async () => {
    const [hikers, campers] = [world().audience("hikers"), world().audience("campers")];
    const own = await createManaged({});
    await world().db.update(audiences).set({ status: "below_minimum" }).where(eq(audiences.id, campers));
    const open = await visit(world(), "harbor", edit.loader, `/publisher/campaigns/${own}/edit`, {
      params: { id: own },
    });
    const { audiences: offered } = z.object({ audiences: z.array(z.object({ id: z.string() })) }).parse(open.body);
    expect(
      offered
        .slice(0, 2)
        .map(({ id: audience }) => audience)
        .sort(),
    ).toEqual([hikers, campers].sort());
    expect(new Set(offered.map(({ id: audience }) => audience)).size).toBe(offered.length);
    await world().db.update(audiences).set({ status: "ready" }).where(eq(audiences.id, campers));
  });

  it("replace a change made since they were opened only when they are sent again", async () => {
    const own = await createManaged({});
    const end_date = addDays(world().today(), 30);
    const open = await visit(world(), "harbor", budget.loader, `/publisher/campaigns/${own}/budget`, {
      params: { id: own },
    });
    expect(open.body).toMatchObject({ version: 1 });
    await post("harbor", budget.action, { budget: "6000", daily_budget: "600", end_date, version: "1" }, own);
    const form = { budget: "7000", daily_budget: "700", end_date };
    for (const { action } of [budget, edit]) {
      const stale = await post("harbor", action, { ...form, version: "1" }, own);
      expect(stale).toMatchObject({
        status: 409,
        body: {
          initialValue: { budget: "7000", version: "2" },
          error: { "": [expect.stringContaining("has changed since you opened the form")] },
        },
      });
    }
    expect((await getCampaign(world().northwind, own)).content).toMatchObject({ totalBudgetCents: 600_000 });
    await post("harbor", budget.action, { ...form, version: "2" }, own);
    expect((await getCampaign(world().northwind, own)).content).toMatchObject({ totalBudgetCents: 700_000 });
  });

  it("say that the campaign has ended when they save a budget that is already spent", async () => {
    const end_date = addDays(world().today(), 30);
    const spent = await createManaged({ start_date: world().today() });
    await world().deliver(spent, { spendMicros: 300_000_000 });
    const save = (amount: string) =>
      post("harbor", budget.action, { budget: amount, daily_budget: amount, end_date }, spent);
    const saved = "Budget and end date saved. The advertiser sees the change.";
    expect((await messageOf(await save("301")))?.message).toBe(saved);
    expect((await messageOf(await save("300")))?.message).toBe(
      `${saved} The budget is spent, so the campaign has ended.`,
    );
    expect(await world().statusOf(spent)).toBe("completed");
  });

  it("have every field of the edit form: a missing field is cleared", async () => {
    const { totalBudgetCents, endDate } = await content();
    const form = {
      name: "Ridgeline Packs",
      objective: "traffic",
      ad_format: "display",
      selected_audiences: world().audience("hikers"),
      channel_type: "dsp",
      channels: "dv360",
      budget: String((totalBudgetCents ?? 0) / 100),
      daily_budget: "600",
      start_date: addDays(world().today(), 1),
      end_date: String(endDate),
      frequency_cap_impressions: "3",
      frequency_cap_period: "day",
    };
    expect((await post("harbor", edit.action, form)).location).toBe(`/publisher/campaigns/${id}`);
    expect(await content()).toMatchObject({
      objective: "traffic",
      audienceIds: [world().audience("hikers")],
      channels: ["dv360"],
      geolocations: [],
    });
  });

  it("redirect with the reason while the advertiser is editing", async () => {
    await updateCampaign(world().northwind, { id, changes: campaignChanges({ budget: 9_000 }) });
    const path = `/publisher/campaigns/${id}/edit`;
    const { location } = await visit(world(), "harbor", edit.loader, path, { params: { id } });
    expect(location).toBe(`/publisher/campaigns/${id}`);
    expect((await post("harbor", budget.action, { budget: "8000" })).status).toBe(409);
  });
});

describe("an advertiser's change of budget and end date", () => {
  it("is a new version that publishers review, while the approved one runs", async () => {
    const own = await world().aRunningCampaign();
    const end_date = addDays(world().today(), 40);
    const form = { budget: "6000", daily_budget: "500", end_date };
    const saved = await post("northwind", advertiserBudget.action, form, own);
    expect(saved.location).toBe(`/advertiser/campaigns/${own}`);
    expect(await getCampaign(world().northwind, own)).toMatchObject({ version: 2, status: "active", unsentFields: [] });
    expect(await world().lineItemStatus(world().harbor, own)).toBe("pending active");
    const wrong = await post("northwind", advertiserBudget.action, { ...form, budget: "100" }, own);
    expect(wrong.body).toMatchObject({ error: { daily_budget: ["The daily budget can't exceed the total budget"] } });
  });

  it("replaces a version sent since the form was opened only when it is sent again", async () => {
    const own = await createManaged({});
    const end_date = addDays(world().today(), 30);
    const raised = { budget: "9000", daily_budget: "500", end_date, version: "1" };
    await post("harbor", budget.action, raised, own);
    const form = { budget: "5000", daily_budget: "400", end_date: addDays(world().today(), 10) };
    const stale = await post("northwind", advertiserBudget.action, { ...form, version: "1" }, own);
    expect(stale).toMatchObject({
      status: 409,
      body: { initialValue: { daily_budget: "400", version: "2" }, error: { "": [expect.any(String)] } },
    });
    expect((await getCampaign(world().northwind, own)).content).toMatchObject({ endDate: end_date });
    await post("northwind", advertiserBudget.action, { ...form, version: "2" }, own);
    expect(await getCampaign(world().northwind, own)).toMatchObject({
      version: 3,
      content: { totalBudgetCents: 500_000 },
    });
  });

  it("and a step of the wizard that was opened before replace it only when they are sent again", async () => {
    const own = await createManaged({});
    await post(
      "harbor",
      budget.action,
      { budget: "9000", daily_budget: "500", end_date: addDays(world().today(), 30), version: "1" },
      own,
    );
    const params = { id: own };
    const path = `/advertiser/campaigns/${own}/edit?step=5`;
    const stored = async () => (await getCampaign(world().northwind, own)).content.totalBudgetCents;
    const send = (version: string) => {
      const form = { budget: "5000", daily_budget: "400", version, intent: "next" };
      return visit(world(), "northwind", wizard.action, path, { form, params });
    };
    const autosave = (version: string) => {
      const form = { budget: "5000", daily_budget: "400", version };
      const at = `/advertiser/campaigns/autosave?step=5&campaign=${own}`;
      return visit(world(), "northwind", autosaved.action, at, { form });
    };
    const { body } = await visit(world(), "northwind", wizard.loader, path, { params });
    expect(body).toMatchObject({ campaign: { version: 2 } });
    const message = expect.stringMatching(/^This campaign has changed since you opened the form/);
    expect(await send("1")).toMatchObject({
      status: 409,
      body: { initialValue: { budget: "5000" }, error: { "": [message] } },
    });
    expect(await autosave("1")).toMatchObject({ status: 409, body: { message } });
    expect(await stored()).toBe(900_000);
    expect((await send("2")).status).toBe(302);
    expect(await stored()).toBe(500_000);
  });

  it("changes a draft at once and sends nothing", async () => {
    const draft = await world().aDraft();
    await post("northwind", advertiserBudget.action, { budget: "6000", daily_budget: "500" }, draft);
    const { version, status, content: stored } = await getCampaign(world().northwind, draft);
    expect([version, status, stored.totalBudgetCents, stored.endDate]).toEqual([0, "draft", 600_000, null]);
  });
});
