import { type APIRequestContext, type Browser, expect } from "@playwright/test";
import { signInByCalls } from "./browser-users.ts";

/** A client of the calls, signed in by the stand-in as a demo account. */
export async function signInToApi(browser: Browser, email: string): Promise<APIRequestContext> {
  const { request } = await browser.newContext();
  await signInByCalls(request, email);
  return request;
}

/**
 * Launches a campaign that the audiences' publishers must review: that of the first one is Harbor Goods, test mode's
 * publisher.
 */
export async function launchCampaign(
  advertiser: APIRequestContext,
  name: string,
  audienceNames = ["Weekend hikers"],
): Promise<string> {
  const { audiences } = await (await advertiser.get("/api/audiences")).json();
  const idOf = (audience: string) => audiences.find((each: { name: string }) => each.name === audience)?.id;
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const created = await advertiser.post("/api/campaigns", {
    data: {
      name,
      objective: "traffic",
      ad_format: "display",
      selected_audiences: audienceNames.map(idOf),
      channel_type: "dsp",
      channels: ["dv360"],
      budget: 2000,
      daily_budget: 100,
      start_date: day(1),
      end_date: day(20),
    },
  });
  const { id } = (await created.json()).campaign;
  expect((await advertiser.post(`/api/campaigns/${id}/launch`)).status()).toBe(200);
  return id;
}
