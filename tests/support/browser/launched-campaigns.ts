import { type APIRequestContext, type Browser, expect } from "@playwright/test";

/** A client of the calls, signed in by the stand-in as a demo account. */
export async function signInToApi(browser: Browser, email: string): Promise<APIRequestContext> {
  const { request } = await browser.newContext();
  const { redirectUrl } = await (await request.get("/api/oauth/google/redirect_url")).json();
  const response = await request.get(`${redirectUrl}&login_hint=${email}`, { maxRedirects: 0 });
  const code = new URL(response.headers().location ?? "", "http://localhost").searchParams.get("code");
  await request.post("/api/sessions", { data: { code } });
  return request;
}

/** Launches a campaign that Harbor Goods, the publisher of test mode, must review. */
export async function launchCampaign(advertiser: APIRequestContext, name: string): Promise<string> {
  const { audiences } = await (await advertiser.get("/api/audiences?q=hikers")).json();
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const created = await advertiser.post("/api/campaigns", {
    data: {
      name,
      objective: "traffic",
      ad_format: "display",
      selected_audiences: audiences.map(({ id }: { id: string }) => id).slice(0, 1),
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
