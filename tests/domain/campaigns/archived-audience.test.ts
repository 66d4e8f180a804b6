import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { archiveAudience } from "#app/domain/audiences/archive-audience.server.ts";
import { statusForSize } from "#app/domain/audiences/audience.ts";
import { lockOwnCampaign } from "#app/domain/campaigns/campaign-rows.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { DomainError } from "#app/domain/errors.ts";
import { type AudienceId, type CampaignId, type LineItemId, newId } from "#app/domain/ids.ts";
import { inTransaction } from "#app/domain/transaction.server.ts";
import { audiences, campaignVersions, lineItems, versionAudiences } from "#db/schema/index.ts";
import { createEmptyAudience } from "#tests/domain/audiences/an-audience.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { findBrokenInvariants } from "#tests/support/database/invariants.ts";
import { waitForBlockedSessions, waitUntilBlockedOrDone } from "#tests/support/database/wait-for-blocked-sessions.ts";
import { deferRejection } from "#tests/support/defer-rejection.ts";
import { expectDomainError } from "#tests/support/expect-domain-error.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

const used = "an archived audience is used, or waits to be";

/** A ready audience, and a draft that could be launched over it. */
async function createAudienceAndDraft(): Promise<{ audienceId: AudienceId; id: CampaignId }> {
  const size = 2_000;
  const audienceId = await createEmptyAudience(world.harbor, { size, cpmCents: 500, status: statusForSize(size) });
  return { audienceId, id: await world.aDraft({ selected_audiences: [audienceId] }) };
}

/** Starts the operation while the archiving is not yet committed, then commits the archiving. */
async function runWhileArchiving(audienceId: AudienceId, operation: () => Promise<unknown>): Promise<void> {
  let operationDone: Promise<unknown> = Promise.resolve();
  await inTransaction(world.harbor, async (tx) => {
    await archiveAudience(tx, { id: audienceId });
    operationDone = operation();
    await waitUntilBlockedOrDone(db(), operationDone);
  });
  await operationDone;
}

test("a launch concurrent with archiving its audience waits for it, and is rejected", async () => {
  const { audienceId, id } = await createAudienceAndDraft();
  await expectDomainError(
    runWhileArchiving(audienceId, () => launchCampaign(world.northwind, { id })),
    "invalid_input",
  );
  expect(await world.statusOf(id)).toBe("draft");
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("so is a campaign that a publisher creates for an advertiser", async () => {
  const { audienceId } = await createAudienceAndDraft();
  const input = {
    ...campaignChanges({ ...world.complete(), selected_audiences: [audienceId] }),
    advertiser_id: world.accountId("northwind"),
    commission_rate: undefined,
  };
  await expectDomainError(
    runWhileArchiving(audienceId, () => createManagedCampaign(world.harbor, input)),
    "invalid_input",
  );
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("archiving concurrent with a launch waits for it, and is rejected", async () => {
  const { audienceId, id } = await createAudienceAndDraft();
  let archiving: Promise<void> = Promise.resolve();
  await inTransaction(world.northwind, async (tx) => {
    await launchCampaign(tx, { id });
    archiving = deferRejection(archiveAudience(world.harbor, { id: audienceId }));
    await waitForBlockedSessions(db(), 1);
  });
  await expectDomainError(archiving, "invalid_transition");
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("of concurrent launches and archivings, one of each pair wins", async () => {
  const outcomes: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    const { audienceId, id } = await createAudienceAndDraft();
    const operations = [
      () => launchCampaign(world.northwind, { id }),
      () => archiveAudience(world.harbor, { id: audienceId }),
    ];
    if (round % 2) operations.reverse();
    const settled = await Promise.allSettled(operations.map((operation) => operation()));
    for (const one of settled) if (one.status === "rejected") expect(one.reason).toBeInstanceOf(DomainError);
    outcomes.push(
      settled
        .map((one) => one.status)
        .sort()
        .join(),
    );
  }
  expect(new Set(outcomes)).toEqual(new Set(["fulfilled,rejected"]));
  expect(await findBrokenInvariants(db())).toEqual({});
});

test("control: a launch that reads without a lock uses an archived audience", async () => {
  const { audienceId, id } = await createAudienceAndDraft();
  await runWhileArchiving(audienceId, () => launchNaively(id));
  expect(Object.keys(await findBrokenInvariants(db()))).toContain(used);
});

/** Checks that the audience is ready, then submits the campaign's first version, without a lock between the two. */
async function launchNaively(id: CampaignId): Promise<void> {
  await inTransaction(world.northwind, async (tx) => {
    const row = await lockOwnCampaign(tx, id, tx.actor.accountId);
    const [chosen] = await tx.db
      .select()
      .from(audiences)
      .where(eq(audiences.id, row.audienceIds[0] ?? newId<AudienceId>()));
    if (chosen?.status !== "ready") throw new DomainError("invalid_input", "not ready");
    const now = tx.clock();
    const { publisherId } = chosen;
    await tx.db.insert(campaignVersions).values({ ...row, campaignId: id, number: 1, sentAt: now });
    await tx.db.insert(versionAudiences).values({ campaignId: id, version: 1, audienceId: chosen.id, publisherId });
    await tx.db.insert(lineItems).values({
      id: newId<LineItemId>(),
      campaignId: id,
      publisherId,
      campaignName: row.name,
      advertiserName: "Northwind Outdoors",
      sentVersion: 1,
      commissionRateBps: 7_000,
      sentAt: now,
    });
  });
}
