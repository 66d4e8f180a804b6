import { beforeAll, describe, expect, it, vi } from "vitest";
import type { AudienceId } from "#app/domain/ids.ts";
import * as asked from "#app/screens/advertiser/audiences/reach/route.ts";
import * as wizard from "#app/screens/advertiser/campaigns/edit/route.tsx";
import * as own from "#app/screens/publisher/audiences/reach/route.ts";
import * as managed from "#app/screens/publisher/campaigns/create-for-advertiser/route.tsx";
import { createEmptyAudience, people, upload } from "#tests/domain/audiences/an-audience.ts";
import { useWorld, visit } from "./publisher/portal.ts";

const world = useWorld();

/** Two audiences of 12,000 people, of two publishers, that share three quarters. */
let harbors: AudienceId;
let ferns: AudienceId;
beforeAll(async () => {
  harbors = await createEmptyAudience(world().harbor, { name: "Harbor's part" });
  ferns = await createEmptyAudience(world().fern, { name: "Fern's part" });
  await upload(world().harbor, { audienceId: harbors, files: [people(12_000)] });
  await upload(world().fern, { audienceId: ferns, files: [people(12_000, 3_000)] });
});

const query = (...ids: string[]) => ids.map((id) => `audience=${id}`).join("&");

describe("the reach of a selection of audiences", () => {
  const send = (ids: string[]) =>
    visit(world(), "northwind", asked.loader, `/advertiser/audiences/reach?${query(...ids)}`);

  it("counts each person once, and is a range", async () => {
    expect((await send([harbors])).body).toEqual({ ids: [harbors], reach: { from: 10_000, to: 25_000 } });
    expect((await send([harbors, ferns])).body).toMatchObject({ reach: { from: 12_000, to: 33_000 } });
    expect((await send([])).body).toEqual({ ids: [] });
  });

  it("reflects added and removed people, from the next day on", async () => {
    const id = await createEmptyAudience(world().harbor);
    await upload(world().harbor, { audienceId: id, files: [people(1_500)] });
    expect((await send([id])).body).toMatchObject({ reach: { from: 1_000 } });
    await upload(world().harbor, { audienceId: id, files: [people(3_500)] });
    expect((await send([id])).body).toMatchObject({ reach: { from: 1_000 } });
    world().advanceDays(1);
    vi.setSystemTime(world().clock());
    expect((await send([id])).body).toMatchObject({ reach: { from: 2_500 } });
  });

  it("reports an audience that can no longer be chosen, or is another publisher's", async () => {
    const archived = await createEmptyAudience(world().harbor, { status: "archived" });
    const problem = "A selected audience is no longer available. Choose another.";
    expect((await send([harbors, archived])).body).toEqual({ ids: [harbors, archived], problem });
    const path = `/publisher/audiences/reach?${query(ferns)}`;
    expect((await visit(world(), "harbor", own.loader, path)).body).toEqual({ ids: [ferns], problem });
  });
});

describe("the estimate in a form", () => {
  it("uses the wizard's saved audiences", async () => {
    const id = await world().aDraft({ selected_audiences: [harbors, ferns] });
    const show = (step: number) =>
      visit(world(), "northwind", wizard.loader, `/advertiser/campaigns/${id}/edit?step=${step}`, { params: { id } });
    expect((await show(3)).body).toMatchObject({
      choices: {
        reach: { ids: [harbors, ferns], reach: { from: 12_000, to: 33_000 } },
        reachHref: "/advertiser/audiences/reach",
      },
    });
    expect((await show(4)).body).toMatchObject({ choices: { reach: { ids: [] } } });
  });

  it("is requested by a button in a publisher's campaign for an advertiser, which keeps the input and creates nothing", async () => {
    const form = { intent: "estimate", name: "Half typed", budget: "abc", selected_audiences: harbors };
    const path = "/publisher/campaigns/create-for-advertiser";
    const { status, body } = await visit(world(), "harbor", managed.action, path, { form });
    expect(status).toBe(200);
    expect(body).toEqual({
      initialValue: { ...form },
      reach: { ids: [harbors], reach: { from: 10_000, to: 25_000 } },
    });
    const shown = JSON.stringify((await visit(world(), "harbor", managed.loader, path)).body);
    expect(shown).toContain('"name":"Harbor\'s part"');
    expect(shown).toContain('"publisherName":"Harbor Goods"');
    expect(shown).toContain('"publishedSize":{"from":10000,"to":25000}');
    expect(shown).not.toMatch(/estimatedSize|12000/);
  });
});
