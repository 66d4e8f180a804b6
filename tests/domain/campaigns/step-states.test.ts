import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { emptyContent, emptyUnreviewed } from "#app/domain/campaigns/campaign-content.ts";
import { campaignFieldRows } from "#app/domain/campaigns/campaign-fields.ts";
import { createCampaign } from "#app/domain/campaigns/create-campaign.server.ts";
import { discardBlankDraft } from "#app/domain/campaigns/editing/discard-blank-draft.server.ts";
import { listLaunchErrors } from "#app/domain/campaigns/editing/list-launch-errors.server.ts";
import { openDraft } from "#app/domain/campaigns/editing/open-draft.server.ts";
import { errorsOfFilledFields, isBlank, stepStates } from "#app/domain/campaigns/editing/step-states.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { type CampaignId, type CreativeId, newId } from "#app/domain/ids.ts";
import { campaigns } from "#db/schema/index.ts";
import { insertCreative } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const blank = { ...emptyContent, ...emptyUnreviewed };
const withCreative = { ...blank, creativeIds: [newId<CreativeId>()] };
const names = campaignFieldRows.filter(({ step }) => step !== null).map(({ name }): string => name);

describe("the states of the steps", () => {
  test("a step is complete exactly if the launch has no error in it, and every error belongs to one step", () => {
    const errors = fc.dictionary(fc.constantFrom(...names), fc.array(fc.string(), { minLength: 1, maxLength: 2 }));
    fc.assert(
      fc.property(errors, (found) => {
        const states = stepStates(withCreative, found);
        const listed = states.flatMap(({ needs }) => needs.map(({ field, message }) => `${field} ${message}`));
        const all = Object.entries(found).flatMap(([field, errorMessage]) =>
          errorMessage.map((message) => `${field} ${message}`),
        );
        expect(listed.sort()).toEqual(all.sort());
        for (const { state, needs } of states) expect(state === "complete").toBe(needs.length === 0);
      }),
    );
  });

  test("a new draft is untouched in every step, and a launchable one complete", async () => {
    expect(await statesOf((await createCampaign(world.northwind, campaignChanges({}))).id)).toEqual([
      "untouched",
      "untouched",
      "untouched",
      "untouched",
      "untouched",
    ]);
    const creative_ids = [await insertCreative(db(), world.accountId("northwind"))];
    expect(await statesOf(await world.aDraft({ creative_ids }))).toEqual(Array(5).fill("complete"));
  });

  test("step 2 is not complete without a creative, also if nothing else is missing for the launch", async () => {
    const draft = await world.aDraft();
    expect(await statesOf(draft)).toEqual(["complete", "incomplete 1", "complete", "complete", "complete"]);
    expect(stepStates(blank, {})[1]).toMatchObject({
      needs: [{ field: "creative_ids", message: "Select a creative" }],
    });
  });

  test("a started step shows how much the launch still requires", async () => {
    const id = await world.aDraft({ objective: null, budget: null, start_date: null, channels: [] });
    expect(await statesOf(id)).toEqual(["incomplete 1", "incomplete 1", "complete", "untouched", "incomplete 2"]);
  });

  test("lists what a launch rejects, neither more nor less", async () => {
    const id = await world.aDraft({ name: "", daily_budget: 5_001, end_date: "2026-11-20" });
    const refused = await domainErrorFrom(launchCampaign(world.northwind, { id }));
    expect(await listLaunchErrors(world.northwind, await getCampaign(world.northwind, id))).toEqual(refused.fields);
  });

  test("a running campaign may have started in the past", async () => {
    const id = await world.aRunningCampaign();
    world.advanceDays(3);
    expect(await statesOf(id)).toEqual(["complete", "incomplete 1", "complete", "complete", "complete"]);
    const draft = await world.aDraft({ start_date: "2026-11-20" });
    expect((await statesOf(draft))[4]).toBe("incomplete 1");
  });

  test("a contradiction is an error at its field, and a missing value is not", async () => {
    const id = await world.aDraft({ budget: null, daily_budget: 0, start_date: "2026-11-30", end_date: "2026-11-29" });
    const campaign = await getCampaign(world.northwind, id);
    const errors = await listLaunchErrors(world.northwind, campaign);
    expect(Object.keys(errors).sort()).toEqual(["budget", "daily_budget", "end_date"]);
    const shown = errorsOfFilledFields({ ...campaign.content, name: campaign.name, pacing: campaign.pacing }, errors);
    expect(Object.keys(shown).sort()).toEqual(["daily_budget", "end_date"]);
  });
});

describe("a draft in which nothing was entered", () => {
  test("is blank only while every field is as in a new draft", () => {
    expect(isBlank(blank)).toBe(true);
    expect(isBlank({ ...blank, frequencyCapImpressions: 4 })).toBe(false);
    expect(isBlank({ ...blank, name: "A" })).toBe(false);
  });

  test("is opened again for the same person instead of creating a second one", async () => {
    const nothing = { changes: campaignChanges({}), isEmpty: true };
    const first = await openDraft(world.brightside, nothing);
    expect(await openDraft(world.brightside, nothing)).toEqual(first);
    expect(
      await openDraft({ ...world.brightside, actor: { ...world.brightside.actor, userId: undefined } }, nothing),
    ).not.toEqual(first);
    const named = await openDraft(world.brightside, { changes: campaignChanges({ name: "Tea" }), isEmpty: false });
    expect(named).not.toEqual(first);
    expect(await openDraft(world.brightside, nothing)).toEqual(first);
  });

  test("is deleted when it is left; one with a name or with a version stays", async () => {
    const { id } = await createCampaign(world.northwind, campaignChanges({}));
    expect(await discardBlankDraft(world.northwind, { id })).toBe(true);
    await expectDomainError(getCampaign(world.northwind, id), "not_found");
    const named = (await createCampaign(world.northwind, campaignChanges({ name: "Stays" }))).id;
    const foreign = discardBlankDraft(world.brightside, { id: named });
    await expectDomainError(foreign, "not_found");
    const before = await db().$count(campaigns);
    expect(await discardBlankDraft(world.northwind, { id: named })).toBe(false);
    expect(await discardBlankDraft(world.northwind, { id: await world.aLaunchedCampaign() })).toBe(false);
    expect(await db().$count(campaigns)).toBe(before + 1);
  });
});

async function statesOf(id: CampaignId): Promise<string[]> {
  const campaign = await getCampaign(world.northwind, id);
  const errors = await listLaunchErrors(world.northwind, campaign);
  const values = { ...campaign.content, name: campaign.name, pacing: campaign.pacing };
  return stepStates(values, errors).map(({ state, needs }) =>
    state === "incomplete" ? `incomplete ${needs.length}` : state,
  );
}
