import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/line-items/get-line-item.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/managed/create-managed-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { updateCampaign } from "#app/domain/campaigns/update-campaign.server.ts";
import type { Ctx, TenantActor } from "#app/domain/context.ts";
import { sanitizeCreativeName } from "#app/domain/creatives/creative-name.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { getStorageUsage, listCreatives } from "#app/domain/creatives/list-creatives.server.ts";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import type { CampaignId, CreativeId } from "#app/domain/ids.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { creativeQuotaBytes, fileStorage, replaceFileStorage } from "#app/storage/storage.server.ts";
import { auditEntries, campaigns, creatives } from "#db/schema/index.ts";
import { findBrokenFiles, insertCreative, storedFile, uploadCreativeFiles } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { domainErrorFrom, expectDomainError } from "#tests/support/expect-domain-error.ts";
import { startS3Server } from "#tests/support/fakes/fake-s3.ts";
import { faultRuns, faultTimeoutMs } from "#tests/support/fault-runs.ts";
import { leakMarker, makeGif, makeJpeg, makeMp4, makePng } from "#tests/support/media-files.ts";
import { campaignChanges, createWorld, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await createWorld(db());
});

let seed = 100;
/** Returns an image that differs from every image uploaded before. */
const anotherPng = () => makePng({ seed: seed++ });
const expectNoIncomingFiles = () => expect(readdirSync(join(process.env.DATA_DIR ?? "", "incoming"))).toEqual([]);

async function one(bytes = anotherPng(), by: Ctx<TenantActor> = world.northwind): Promise<CreativeId> {
  const { ids, errors } = await uploadCreativeFiles(by, [{ name: "banner.png", bytes }]);
  expect(errors).toEqual([]);
  const [id] = ids;
  if (!id) throw new Error("nothing was uploaded");
  return id;
}

describe.each(["a folder", "S3"])("files in %s", (kind) => {
  let stop: () => Promise<void>;
  beforeAll(async () => {
    if (kind === "S3") {
      const s3 = await startS3Server();
      replaceFileStorage(openS3Storage(s3.settings));
      stop = s3.stop;
    } else {
      const root = mkdtempSync(join(tmpdir(), "endcap-files-"));
      replaceFileStorage(openFolderStorage(root));
      stop = async () => rmSync(root, { recursive: true });
    }
    await db().delete(creatives);
  });
  afterAll(async () => {
    replaceFileStorage(undefined);
    await stop();
  });

  test("each file of an upload has its own result: valid ones are stored cleaned, invalid ones reported", async () => {
    const files = [
      { name: "photo.jpg", bytes: await makeJpeg() },
      { name: "drawing.svg", bytes: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
      { name: "../../etc/\u202egnp.exe", bytes: anotherPng() },
      { name: "loop.gif", bytes: await makeGif() },
      { name: "cut.mp4", bytes: makeMp4().subarray(0, -100) },
      { name: "film.mp4", bytes: makeMp4() },
      { name: "large.png", bytes: anotherPng(), truncated: true },
    ];
    const { ids, errors } = await uploadCreativeFiles(world.northwind, files);
    expect(errors).toEqual([
      { file: "drawing.svg", message: expect.stringContaining("SVG") },
      { file: "cut.mp4", message: expect.stringContaining("incomplete") },
      { file: "large.png", message: "The file is larger than 50 MB. Upload a smaller file." },
    ]);
    const kept = await Promise.all(ids.map((id) => getCreative(world.northwind, id)));
    expect(kept).toMatchObject([
      { name: "photo.jpg", type: "image/jpeg", width: 60, height: 40, durationMs: null },
      { name: "gnp.exe", type: "image/png", width: 50, height: 30 },
      { name: "loop.gif", type: "image/gif", durationMs: 360 },
      { name: "film.mp4", type: "video/mp4", width: 320, height: 180, durationMs: 2_500, previewPath: null },
    ]);
    for (const { id, bytes, type } of kept) {
      const stored = await storedFile(id);
      expect(stored?.length).toBe(bytes);
      expect(stored?.includes(leakMarker)).toBe(false);
      expect((await storedFile(id, "preview"))?.subarray(8, 12).toString()).toBe(
        type === "video/mp4" ? undefined : "WEBP",
      );
    }
    expectNoIncomingFiles();
    expect(await findBrokenFiles(db())).toEqual([]);
    const lines = await db().select().from(auditEntries).where(like(auditEntries.action, "creative.%"));
    expect(lines.filter(({ entityId }) => ids.some((id) => id === entityId))).toHaveLength(4);
  });

  test("the same file is the same creative: sent twice, at once, or with other metadata", async () => {
    const bytes = anotherPng();
    const { ids } = await uploadCreativeFiles(world.northwind, [
      { name: "a.png", bytes },
      { name: "b.png", bytes },
    ]);
    expect(ids).toHaveLength(1);
    const [first = one] = ids;
    const clean = await storedFile(ids[0] ?? (await one()));
    const again = await Promise.all([one(bytes), one(bytes), one(clean ?? bytes), one(bytes)]);
    expect(new Set(again)).toEqual(new Set([first]));
    expect(await one(bytes, world.brightside)).not.toBe(first);
    const fresh = anotherPng();
    const together = await Promise.all(Array.from({ length: 6 }, () => one(fresh)));
    expect(new Set(together).size).toBe(1);
    expect(await findBrokenFiles(db())).toEqual([]);
  });

  test("many at once do not exceed the quota together, and rejected ones leave no file", async () => {
    const id = await insertCreative(db(), world.accountId("fern"), {
      bytes: creativeQuotaBytes() - 9_000,
      previewBytes: null,
    });
    const sent = await Promise.all(
      Array.from({ length: 6 }, async () =>
        uploadCreativeFiles(world.fern, [{ name: "more.png", bytes: anotherPng() }]),
      ),
    );
    const stored = await getStorageUsage(world.fern);
    expect(stored.bytes).toBeLessThanOrEqual(creativeQuotaBytes());
    expect(stored.files).toBeGreaterThan(1);
    expect(sent.flatMap(({ ids }) => ids)).toHaveLength(stored.files - 1);
    const refused = sent.flatMap(({ errors }) => errors);
    expect(refused.length).toBe(6 - (stored.files - 1));
    expect(refused.length).toBeGreaterThan(0);
    for (const { message } of refused) expect(message).toMatch(/exceeds your 5 GB storage limit/);
    expect(await findBrokenFiles(db())).toEqual([id]);
    await db().delete(creatives).where(eq(creatives.id, id));
  });

  test("a key has one effect, gets the same response, and rejects other files", async () => {
    const file = { name: "once.png", bytes: anotherPng() };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => uploadCreativeFiles(world.harbor, [file], `key-${kind}`)),
    );
    expect(new Set(answers.map(({ ids, errors }) => JSON.stringify({ ids, errors }))).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    await expectDomainError(
      uploadCreativeFiles(world.harbor, [{ name: "x.png", bytes: anotherPng() }], `key-${kind}`),
      "idempotency_conflict",
    );
    expect(await getStorageUsage(world.harbor)).toMatchObject({ files: 1 });
  });

  test("when deleted, row and files are gone; the sweeper deletes old files without rows", async () => {
    const id = await one();
    await expectDomainError(deleteCreative(world.brightside, { id }), "not_found");
    await deleteCreative(world.northwind, { id });
    await expectDomainError(getCreative(world.northwind, id), "not_found");
    await expectDomainError(deleteCreative(world.northwind, { id }), "not_found");
    expect([await storedFile(id), await storedFile(id, "preview")]).toEqual([undefined, undefined]);

    const orphan = await one();
    const kept = await one();
    await db().delete(creatives).where(eq(creatives.id, orphan));
    const left = (await findBrokenFiles(db())).length;
    expect(left).toBeGreaterThanOrEqual(2);
    const now = Date.now();
    expect(await sweepCreatives({ ...world.job, clock: () => new Date(now) })).toBe(0);
    expect(await sweepCreatives({ ...world.job, clock: () => new Date(now + 25 * 3_600_000) })).toBe(left);
    expect(await findBrokenFiles(db())).toEqual([]);
    expect(await storedFile(kept)).toBeDefined();
  });
});

test("many files of one account do not hold up another's", async () => {
  const ended: string[] = [];
  const upload = async (who: "northwind" | "harbor") => {
    await one(makePng({ width: 1_000, height: 1_000, seed: seed++ }), world[who]);
    ended.push(who);
  };
  const many = Array.from({ length: 10 }, () => upload("northwind"));
  await Promise.race(many);
  await Promise.all([...many, upload("harbor")]);
  expect(ended.indexOf("harbor")).toBeLessThan(6);
});

test("when the storage fails, nothing is stored and nothing left behind", async () => {
  const before = await getStorageUsage(world.northwind);
  const real = await fileStorage();
  let puts = 0;
  const full: FileStorage = {
    ...real,
    put: async (...given) => {
      puts += 1;
      if (puts > 2) throw new StorageError(Object.assign(new Error("full"), { code: "ENOSPC" }));
      await real.put(...given);
    },
  };
  replaceFileStorage(full);
  const files = [1, 2].map((number) => ({ name: `${number}.png`, bytes: anotherPng() }));
  await expect(uploadCreativeFiles(world.northwind, files)).rejects.toMatchObject({
    name: "StorageError",
    code: "ENOSPC",
  });
  replaceFileStorage(undefined);
  expect(puts).toBe(3);
  expect(await getStorageUsage(world.northwind)).toEqual(before);
  expectNoIncomingFiles();
});

test("an interrupted upload stores nothing; one without files is empty; of eleven the last is rejected", async () => {
  const before = await getStorageUsage(world.northwind);
  async function* broken() {
    yield {
      name: "a.png",
      stream: (await import("node:stream")).Readable.from([anotherPng()]),
      isTruncated: () => false,
    };
    throw new Error("gone");
  }
  const { uploadCreatives } = await import("#app/domain/creatives/upload-creatives.server.ts");
  await expect(uploadCreatives(world.northwind, { files: broken() })).rejects.toThrow("gone");
  expectNoIncomingFiles();
  expect(await getStorageUsage(world.northwind)).toEqual(before);
  expect(await uploadCreativeFiles(world.northwind, [])).toEqual({ ids: [], errors: [] });
  const eleven = Array.from({ length: 11 }, (_, index) => ({ name: `${index}.png`, bytes: anotherPng() }));
  const { ids, errors } = await uploadCreativeFiles(world.northwind, eleven);
  expect([ids.length, errors]).toEqual([
    10,
    [{ file: "10.png", message: expect.stringContaining("Upload up to 10 files at a time") }],
  ]);
});

test("the pages of the list cover all of them once", async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await listCreatives(world.northwind, { limit: 3, cursor });
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect(seen.length).toBe((await getStorageUsage(world.northwind)).files);
});

describe("a campaign's creatives", () => {
  const video = () => insertCreative(db(), world.accountId("northwind"), { type: "video/mp4", previewBytes: null });
  const picture = () => insertCreative(db(), world.accountId("northwind"));

  test("are the actor's own, and the first image is the preview; without any there is none", async () => {
    const foreign = await insertCreative(db(), world.accountId("brightside"));
    const unknownId = "01900000-0000-7000-8000-000000000000";
    for (const id of [foreign, unknownId]) {
      expect((await domainErrorFrom(world.aDraft({ creative_ids: [id] }))).fields).toEqual({
        creative_ids: ["Choose creatives from the list"],
      });
    }
    const [first, second] = [await video(), await picture()];
    const id = await world.aDraft({ creative_ids: [first, second], selected_products: [world.product("NW-PK-040")] });
    const { content, creatives: shown } = await getCampaign(world.northwind, id);
    expect(shown.map((creative) => creative.id)).toEqual([first, second]);
    expect(content.creativePreviewUrl).toBe(shown[1]?.path);
    expect(content.productIds).toHaveLength(1);
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ creative_ids: [] }) });
    expect((await getCampaign(world.northwind, id)).content).toMatchObject({
      creativeIds: [],
      creativePreviewUrl: null,
      productIds: [],
    });
  });

  test("belong to the version: after a change, the publisher decides again and sees which are new and removed", async () => {
    const [first, second] = [await picture(), await picture()];
    const id = await world.aRunningCampaign({ changes: { creative_ids: [first] } });
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ creative_ids: [second] }), send: true });
    expect(await world.lineItemStatus(world.harbor, id)).toBe("pending active");
    const seen = await getLineItem(world.harbor, id);
    expect(seen.changedFields).toContain("creativeIds");
    expect(seen.creatives.map((creative) => creative.id)).toEqual([second]);
    expect(seen.droppedCreatives.map((creative) => creative.id)).toEqual([first]);
    // Both are shown to someone now.
    for (const shown of [first, second]) {
      await expectDomainError(deleteCreative(world.northwind, { id: shown }), "invalid_transition", /Ridgeline Packs/);
    }
    await reviewCampaign(world.harbor, { id, action: "approve" });
    await deleteCreative(world.northwind, { id: first });
    expect((await getLineItem(world.harbor, id)).creatives).toHaveLength(1);
  });

  test("are removed from working copies when deleted, and another one becomes the preview", async () => {
    const [first, second] = [await picture(), await video()];
    const both = await world.aDraft({ creative_ids: [first, second], selected_products: [world.product("NW-PK-040")] });
    const alone = await world.aDraft({ creative_ids: [first], selected_products: [world.product("NW-PK-040")] });
    await deleteCreative(world.northwind, { id: first });
    const left = await getCampaign(world.northwind, both);
    expect(left.content).toMatchObject({
      creativeIds: [second],
      creativePreviewUrl: left.creatives[0]?.path,
      productIds: [world.product("NW-PK-040")],
    });
    expect((await getCampaign(world.northwind, alone)).content).toMatchObject({
      creativeIds: [],
      creativePreviewUrl: null,
      productIds: [],
    });
  });

  test("that were added and are deleted before they are sent leave nothing to send", async () => {
    const [sent, added] = [await picture(), await picture()];
    const same = await world.aRunningCampaign({ changes: { creative_ids: [sent] } });
    const other = await world.aRunningCampaign({ changes: { creative_ids: [sent] } });
    const changes = campaignChanges({ creative_ids: [added, sent] });
    await updateCampaign(world.northwind, { id: same, changes });
    await updateCampaign(world.northwind, {
      id: other,
      changes: { ...changes, ...campaignChanges({ budget: 6_000 }) },
    });
    await deleteCreative(world.northwind, { id: added });
    const rowOf = async (id: CampaignId) => {
      const [row] = await db().select().from(campaigns).where(eq(campaigns.id, id));
      return row && { creatives: row.creativeIds, unsent: row.hasUnsentChanges, version: row.version };
    };
    expect(await rowOf(same)).toEqual({ creatives: [sent], unsent: false, version: 1 });
    expect(await rowOf(other)).toEqual({ creatives: [sent], unsent: true, version: 1 });
    for (const id of [same, other]) await launchCampaign(world.northwind, { id });
    expect((await rowOf(same))?.version).toBe(1);
    expect(await world.lineItemStatus(world.harbor, same)).toBe("approved active");
    expect((await rowOf(other))?.version).toBe(2);
  });

  test("of a publisher that manages a campaign are its own", async () => {
    const own = await insertCreative(db(), world.accountId("harbor"));
    const theirs = await picture();
    const campaign = (creative: CreativeId) =>
      managedCampaignSchema.parse({
        ...world.complete(["hikers"]),
        advertiser_id: world.accountId("northwind"),
        creative_ids: [creative],
      });
    await expectDomainError(createManagedCampaign(world.harbor, campaign(theirs)), "invalid_input");
    const { id } = await createManagedCampaign(world.harbor, campaign(own));
    expect((await getCampaign(world.northwind, id)).creatives.map((creative) => creative.id)).toEqual([own]);
    await expectDomainError(deleteCreative(world.harbor, { id: own }), "invalid_transition");
    await updateCampaign(world.northwind, { id, changes: campaignChanges({ budget: 6_000 }) });
    expect((await getCampaign(world.northwind, id)).creatives).toHaveLength(1);
  });

  test(
    "launched during a deletion: either the launch or the deletion is rejected",
    async () => {
      for (let round = 0; round < faultRuns({ small: 8, all: 200 }); round += 1) {
        const creative = await picture();
        const id = await world.aDraft({ creative_ids: [creative] });
        const [launched, deleted] = await Promise.allSettled([
          launchCampaign(world.northwind, { id }),
          deleteCreative(world.northwind, { id: creative }),
        ]);
        const { status, creatives: shown, content } = await getCampaign(world.northwind, id);
        expect(shown).toHaveLength(content.creativeIds.length);
        if (deleted.status === "rejected")
          expect([launched.status, status, shown.length]).toEqual(["fulfilled", "pending", 1]);
        else expect(shown).toEqual([]);
      }
    },
    faultTimeoutMs,
  );
});

test.each([
  ["banner.png", "banner.png"],
  ["C:\\Users\\me\\banner.png", "banner.png"],
  ["../../../etc/passwd", "passwd"],
  ["\u202egnp.exe", "gnp.exe"],
  ["\u3164\u2800", "Untitled"],
  ["a\u0000b\r\nSet-Cookie: x", "abSet-Cookie: x"],
  ["", "Untitled"],
  ["/", "Untitled"],
  ["é".repeat(300), "é".repeat(120)],
  ["<script>.png", "<script>.png"],
  ["logo@2x.png", "logo@2x.png"],
])("a file called %j is shown as %j", (sent, shown) => {
  expect(sanitizeCreativeName(sent)).toBe(shown);
});
