import { eq } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { type CampaignId, parseId } from "#app/domain/ids.ts";
import * as create from "#app/screens/advertiser/campaigns/create/route.tsx";
import * as advertiserDashboard from "#app/screens/advertiser/dashboard/route.tsx";
import * as advertiserProfile from "#app/screens/advertiser/profile/route.tsx";
import * as publisherDashboard from "#app/screens/publisher/dashboard/route.tsx";
import * as preferences from "#app/screens/shared/preferences/route.ts";
import { campaigns } from "#db/schema/index.ts";
import { createRouteClient } from "#tests/support/route-client.ts";
import { useWorld, visit } from "../publisher/portal.ts";

const world = useWorld();
const firstSteps = z.object({
  firstSteps: z
    .object({
      hidden: z.boolean(),
      done: z.number(),
      steps: z.array(z.object({ name: z.string(), to: z.string(), text: z.string() })),
    })
    .nullable(),
});

async function advertiserSteps() {
  const { body } = await visit(world(), "brightside", advertiserDashboard.loader, "/advertiser/dashboard");
  return firstSteps.parse(body).firstSteps;
}

describe("the list of first steps", () => {
  it("leads to the page of each step, and detours return to the dashboard", async () => {
    const steps = (await advertiserSteps())?.steps.map(({ name, to }) => [name, to]);
    expect(steps).toEqual([
      ["company_profile", "/advertiser/profile?next=%2Fadvertiser%2Fdashboard"],
      ["product", "/advertiser/products"],
      ["creative", "/advertiser/creatives"],
      ["audience", "/advertiser/campaigns/create"],
      ["funds", "/advertiser/billing"],
      ["campaign", "/advertiser/campaigns/create"],
    ]);
    const { body } = await visit(world(), "fern", publisherDashboard.loader, "/publisher/dashboard");
    expect(firstSteps.parse(body).firstSteps?.steps.map(({ name }) => name)).toEqual([
      "first_audience",
      "minimum_size",
      "bank_account",
      "first_approval",
    ]);
  });

  it("returns from the company profile to the page that it was begun on", async () => {
    const path = "/advertiser/profile?next=%2Fadvertiser%2Fdashboard";
    const form = { intent: "save-profile", company_name: "Brightside Coffee Roasters", website: "https://b.example" };
    const saved = await visit(world(), "brightside", advertiserProfile.action, path, { form });
    expect(saved.location).toBe("/advertiser/dashboard");
    expect((await advertiserSteps())?.steps.find(({ name }) => name === "company_profile")).toMatchObject({
      text: "1 of 2 details added: website and business vertical.",
    });
    const elsewhere = "/advertiser/profile?next=%2Fpublisher%2Fdashboard";
    expect((await visit(world(), "brightside", advertiserProfile.action, elsewhere, { form })).location).toBe(
      "/advertiser/profile",
    );
  });

  it("is hidden and shown by a form", async () => {
    const set = (first_steps: string) =>
      visit(world(), "brightside", preferences.action, "/advertiser/preferences", {
        form: { first_steps, back: "/advertiser/dashboard" },
      });
    expect((await set("hidden")).location).toBe("/advertiser/dashboard");
    expect(await advertiserSteps()).toMatchObject({ hidden: true });
    await set("never");
    expect(await advertiserSteps()).toMatchObject({ hidden: true });
    await set("shown");
    expect(await advertiserSteps()).toMatchObject({ hidden: false });
  });
});

it("an example campaign is one draft of the advertiser's own, however often the form is sent", async () => {
  const form = { intent: "example", idempotency_key: crypto.randomUUID() };
  const send = () => visit(world(), "brightside", create.action, "/advertiser/campaigns/create", { form });
  const [first, again] = [await send(), await send()];
  expect(again.location).toBe(first.location);
  const id = parseId<CampaignId>(/campaigns\/([^/]+)\/edit\?step=1$/.exec(first.location ?? "")?.[1]);
  if (!id) throw new Error("the form leads to the draft");
  const draft = await getCampaign(world().brightside, id);
  expect(draft).toMatchObject({ status: "draft", name: "Example campaign" });
  const [row] = await world().db.select().from(campaigns).where(eq(campaigns.id, id));
  expect(row).toMatchObject({
    landingUrl: "https://b.example",
    totalBudgetCents: 300_000,
    dailyBudgetCents: 10_000,
    startDate: "2026-11-27",
    endDate: "2026-12-26",
    audienceIds: [],
  });
  expect((await advertiserSteps())?.steps.find(({ name }) => name === "campaign")).toMatchObject({
    to: `/advertiser/campaigns/${id}/edit?step=6`,
    text: "Your draft is saved. Finish it and launch.",
  });
});

it("the email settings stay the target of a link through the sign-in", async () => {
  const link = "/advertiser/profile?section=mails";
  const signedOut = await createRouteClient().call(advertiserProfile.loader, link);
  expect(signedOut.location).toBe(`/advertiser/login?redirectTo=${encodeURIComponent(link)}`);
  const signedIn = await visit(world(), "northwind", advertiserProfile.loader, link);
  expect(signedIn.location).toBe("/advertiser/profile#mails");
});
