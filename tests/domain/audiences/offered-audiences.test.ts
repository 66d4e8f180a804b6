import { beforeAll, expect, test } from "vitest";
import { suspendAccount } from "#app/domain/accounts/suspend-account.server.ts";
import { listFilterOptions } from "#app/domain/analytics/list-filter-options.server.ts";
import { estimateReach } from "#app/domain/audiences/estimate-reach.server.ts";
import { getOfferedAudience } from "#app/domain/audiences/get-audience.server.ts";
import { listAudiences } from "#app/domain/audiences/list-audiences.server.ts";
import { listLaunchErrors } from "#app/domain/campaigns/editing/list-launch-errors.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { AdvertiserActor, Ctx } from "#app/domain/context.ts";
import type { CampaignId } from "#app/domain/ids.ts";
import { searchAccount } from "#app/domain/search/search-account.server.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
let running: CampaignId;
let draft: CampaignId;

/** A publisher with an audience in a campaign that it approved and in a draft, suspended since. */
beforeAll(async () => {
  world = await createWorld(db());
  running = await world.aRunningCampaign({ audiences: ["hikers", "coffeeDrinkers"], approvedBy: ["harbor", "fern"] });
  draft = await world.aDraft({ selected_audiences: [world.audience("coffeeDrinkers")] });
  const operator = { ...world.job, actor: { kind: "operator", name: "Jo" }, entrypoint: "command" } as const;
  await suspendAccount(operator, { accountId: world.accountId("fern") });
});

test("a suspended publisher's audiences are offered to nobody", async () => {
  const id = world.audience("coffeeDrinkers");
  const { rows } = await listAudiences(world.northwind, { limit: 100 });
  const { publisherName } = await getOfferedAudience(world.northwind, world.audience("hikers"));
  expect(new Set(rows.map((row) => row.publisherName))).toEqual(new Set([publisherName]));
  await expectDomainError(getOfferedAudience(world.northwind, id), "not_found");
  expect(JSON.stringify(await searchAccount(world.northwind, { q: id }))).not.toContain(id);
});

test("a campaign can't select them, and a draft that has them can't be launched", async () => {
  const selected_audiences = [world.audience("grilling")];
  await expectDomainError(
    updateCampaign(world.northwind, { id: draft, changes: campaignChanges({ selected_audiences }) }),
    "invalid_input",
  );
  const campaign = await getCampaign(world.northwind, draft);
  const errors = await listLaunchErrors(world.northwind, campaign);
  const message = `The audience “${campaign.audiences[0]?.name}” is no longer available. Choose another.`;
  expect(errors.selected_audiences).toEqual([message]);
  const { code, fields } = await domainErrorFrom(launchCampaign(world.northwind, { id: draft }));
  expect([code, fields]).toEqual(["invalid_input", { selected_audiences: [message] }]);
});

test("their reach is estimated, and analytics filters by them, only where a campaign has them", async () => {
  const id = world.audience("coffeeDrinkers");
  const optionsOf = async (ctx: Ctx<AdvertiserActor>) =>
    (await listFilterOptions(ctx, { audience: id })).audiences.map(({ value }) => value);
  await expectDomainError(estimateReach(world.brightside, { audienceIds: [id] }), "invalid_input");
  expect(await optionsOf(world.brightside)).not.toContain(id);
  expect((await estimateReach(world.northwind, { audienceIds: [id] })).to).toBeGreaterThan(0);
  expect(await optionsOf(world.northwind)).toContain(id);
  const other = world.audience("grilling");
  await expectDomainError(estimateReach(world.northwind, { audienceIds: [other] }), "invalid_input");
});

test("a campaign that the publisher had approved goes on, and can be changed", async () => {
  await updateCampaign(world.northwind, { id: running, changes: campaignChanges({ budget: 9_000 }), send: true });
  expect(await getCampaign(world.northwind, running)).toMatchObject({ status: "active", version: 2 });
  expect(await world.lineItemStatus(world.fern, running)).toBe("pending active");
});
