import { beforeAll, describe, expect, it, vi } from "vitest";
import { sendDuePayouts } from "#app/domain/billing/payouts/send-due-payouts.server.ts";
import { settleDelivery } from "#app/domain/billing/settle-delivery.server.ts";
import type { CalendarDate } from "#app/domain/calendar-date.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import * as revenue from "#app/screens/publisher/revenue/overview/route.tsx";
import * as csv from "#app/screens/publisher/revenue/payout/csv.ts";
import * as pdf from "#app/screens/publisher/revenue/payout/pdf.ts";
import * as payoutScreen from "#app/screens/publisher/revenue/payout/route.tsx";
import * as account from "#app/screens/publisher/revenue/payout-account/route.tsx";
import { useWorld, visit } from "./portal.ts";

const world = useWorld();
let location = "";
let campaignId: CampaignId;

beforeAll(async () => {
  const today = world().today();
  const changes = { name: "=Sum(1)", start_date: today, end_date: "2027-01-30" };
  campaignId = await world().aRunningCampaign({ changes });
  for (const spendMicros of [90_000_000, 33_330_000]) {
    await world().deliver(campaignId, { spendMicros });
    world().advanceDays(1);
    await settleDelivery(world().job);
  }
  world().advanceDays(9);
});

const load = async () =>
  (await visit(world(), "harbor", revenue.loader, "/publisher/revenue")).body as Awaited<
    ReturnType<typeof revenue.loader>
  >;
const send = (amount: string, key: string) =>
  visit(world(), "harbor", revenue.action, "/publisher/revenue", { form: { amount, idempotency_key: key } });

describe("a publisher's revenue", () => {
  it("shows what can be paid out, and pays exactly that, once, however often the form is sent", async () => {
    const { balance, idempotencyKey } = await load();
    expect(balance).toMatchObject({ earned: 8_633, held: 0, available: 8_633, paid: 0 });
    for (const wrong of ["86.34", "0", "-86.33", "86.333", "1e15", "NaN"]) {
      expect((await send(wrong, `${idempotencyKey}-wrong`)).status, wrong).toBe(422);
      expect((await load()).balance.inTransit, wrong).toBe(0);
    }
    const created = await send("86.33", idempotencyKey);
    expect(created.status).toBe(302);
    location = created.location ?? "";
    expect(location).toMatch(/^\/publisher\/revenue\/payouts\/[0-9a-f-]{36}$/);
    expect(await send("86.33", idempotencyKey)).toMatchObject({ status: 302, location });
    expect((await send("86.33", `${idempotencyKey}-other`)).status).toBe(409);
    expect((await load()).balance).toMatchObject({ available: 0, inTransit: 8_633 });
    expect((await load()).page.rows).toHaveLength(1);
  });

  it("has a statement of each payout with its lines, as page and as file", async () => {
    await sendDuePayouts(world().job);
    const params = { id: location.split("/").at(-1) ?? "" };
    const { body } = await visit(world(), "harbor", payoutScreen.loader, location, { params });
    expect(body).toMatchObject({
      payout: { status: "paid", amount: 8_633, spend: 12_333, fee: 3_700, lines: 2 },
      lines: [{ earnings: 6_300 }, { earnings: 2_333 }],
    });
    const file = await visit(world(), "harbor", csv.loader, `${location}/statement.csv`, { params });
    expect(String(file.body).trimEnd().split("\r\n").slice(1)).toEqual([
      "1,'=Sum(1),2026-11-20,90,-27,63",
      "2,'=Sum(1),2026-11-21,33.33,-10,23.33",
    ]);
    const pdfResponse = await visit(world(), "harbor", pdf.loader, `${location}/statement.pdf`, { params });
    expect([pdfResponse.status, String(pdfResponse.body).slice(0, 5)]).toEqual([200, "%PDF-"]);
    for (const screen of [payoutScreen, csv, pdf]) {
      expect((await visit(world(), "fern", screen.loader, location, { params })).status).toBe(404);
    }
  });

  it("names the adjustment of a closed month in the payout's file, as on its page", async () => {
    world().setNow("2027-03-20T12:00:00Z");
    vi.setSystemTime(world().clock());
    const day = "2026-11-20" as CalendarDate;
    await world().deliver(campaignId, { day, source: "late", spendMicros: 100_000_000 });
    world().advanceDays(1);
    await settleDelivery(world().job);
    world().advanceDays(9);
    vi.setSystemTime(world().clock());
    const { balance, idempotencyKey } = await load();
    const { location: at } = await send(String(balance.available / 100), idempotencyKey);
    const params = { id: at?.split("/").at(-1) ?? "" };
    const file = await visit(world(), "harbor", csv.loader, `${at}/statement.csv`, { params });
    expect(String(file.body)).toContain("1,'=Sum(1) (Adjustment for November 2026),2027-03-20,100,-30,70");
  });

  it("is paid to the chosen account", async () => {
    const choose = (token: string) =>
      visit(world(), "harbor", account.action, "/publisher/revenue/account", { form: { token } });
    expect((await choose("")).status).toBe(422);
    expect((await choose("bank_of_others")).status).toBe(422);
    expect(await choose("bank_closed")).toMatchObject({ status: 302, location: "/publisher/revenue" });
    expect((await load()).account).toMatchObject({ lastFour: "0116" });
  });
});
