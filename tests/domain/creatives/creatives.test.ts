import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { managedCampaignSchema } from "#app/domain/campaigns/campaign-payloads.ts";
import { changeCampaign } from "#app/domain/campaigns/change-campaign.server.ts";
import { createManagedCampaign } from "#app/domain/campaigns/create-managed-campaign.server.ts";
import { getCampaign } from "#app/domain/campaigns/get-campaign.server.ts";
import { getLineItem } from "#app/domain/campaigns/get-line-item.server.ts";
import { launchCampaign } from "#app/domain/campaigns/launch-campaign.server.ts";
import { reviewCampaign } from "#app/domain/campaigns/review-campaign.server.ts";
import { creativeName } from "#app/domain/creatives/creative-name.ts";
import { deleteCreative } from "#app/domain/creatives/delete-creative.server.ts";
import { getCreative } from "#app/domain/creatives/get-creative.server.ts";
import { listCreatives, measureStorage } from "#app/domain/creatives/list-creatives.server.ts";
import { sweepCreatives } from "#app/domain/creatives/sweep-creatives.server.ts";
import type { CreativeId } from "#app/domain/ids.ts";
import type { FileStorage } from "#app/storage/file-storage.ts";
import { StorageError } from "#app/storage/file-storage.ts";
import { openFolderStorage } from "#app/storage/folder-storage.server.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { fileStorage, replaceFileStorage, storageQuota } from "#app/storage/storage.server.ts";
import { auditEntries, creatives } from "#db/schema/index.ts";
import { findBrokenFiles, insertCreative, storedFile, upload } from "#tests/support/creatives.ts";
import { useDatabase } from "#tests/support/database.ts";
import { aGif, aJpeg, anMp4, aPng, marker } from "#tests/support/media-files.ts";
import { expectRefusal, refusalOf } from "#tests/support/refusals.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { makeWorld, payload, type World } from "#tests/support/world.ts";

const db = useDatabase();
let world: World;
beforeAll(async () => {
  world = await makeWorld(db());
});

let seed = 100;
/** A picture that nobody uploaded before. */
const anotherPng = () => aPng({ seed: seed++ });
const nothingComing = () => expect(readdirSync(join(process.env.DATA_DIR ?? "", "incoming"))).toEqual([]);

async function one(bytes = anotherPng(), by = world.northwind): Promise<CreativeId> {
  const { ids, errors } = await upload(by, [{ name: "banner.png", bytes }]);
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

  test("each file of an upload is for itself: good ones are kept clean, bad ones are told", async () => {
    const files = [
      { name: "photo.jpg", bytes: await aJpeg() },
      { name: "drawing.svg", bytes: Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>") },
      { name: "../../etc/\u202egnp.exe", bytes: anotherPng() },
      { name: "loop.gif", bytes: await aGif() },
      { name: "cut.mp4", bytes: anMp4().subarray(0, -100) },
      { name: "film.mp4", bytes: anMp4() },
      { name: "large.png", bytes: anotherPng(), truncated: true },
    ];
    const { ids, errors } = await upload(world.northwind, files);
    expect(errors).toEqual([
      { file: "drawing.svg", message: expect.stringContaining("SVG") },
      { file: "cut.mp4", message: expect.stringContaining("cut off") },
      { file: "large.png", message: "The file is larger than 50 MB." },
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
      expect(stored?.includes(marker)).toBe(false);
      expect((await storedFile(id, "preview"))?.subarray(8, 12).toString()).toBe(
        type === "video/mp4" ? undefined : "WEBP",
      );
    }
    nothingComing();
    expect(await findBrokenFiles(db())).toEqual([]);
    const lines = await db().select().from(auditEntries).where(like(auditEntries.action, "creative.%"));
    expect(lines.filter(({ entityId }) => ids.some((id) => id === entityId))).toHaveLength(4);
  });

  test("the same file is the same creative: sent twice, sent at once, or with other words beside its picture", async () => {
    const bytes = anotherPng();
    const { ids } = await upload(world.northwind, [
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

  test("many at once do not go over the quota together, and what there is no room for leaves no file", async () => {
    const id = await insertCreative(db(), world.accountId("fern"), {
      bytes: storageQuota() - 9_000,
      previewBytes: null,
    });
    const sent = await Promise.all(
      Array.from({ length: 6 }, async () => upload(world.fern, [{ name: "more.png", bytes: anotherPng() }])),
    );
    const stored = await measureStorage(world.fern);
    expect(stored.bytes).toBeLessThanOrEqual(storageQuota());
    expect(stored.files).toBeGreaterThan(1);
    expect(sent.flatMap(({ ids }) => ids)).toHaveLength(stored.files - 1);
    const refused = sent.flatMap(({ errors }) => errors);
    expect(refused.length).toBe(6 - (stored.files - 1));
    expect(refused.length).toBeGreaterThan(0);
    for (const { message } of refused) expect(message).toMatch(/no room.*5 GB/);
    expect(await findBrokenFiles(db())).toEqual([id]);
    await db().delete(creatives).where(eq(creatives.id, id));
  });

  test("a key makes one effect, answers the same, and refuses other files", async () => {
    const file = { name: "once.png", bytes: anotherPng() };
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(world.harbor, [file], `key-${kind}`)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    await expectRefusal(
      upload(world.harbor, [{ name: "x.png", bytes: anotherPng() }], `key-${kind}`),
      "idempotency_conflict",
    );
    expect(await measureStorage(world.harbor)).toMatchObject({ files: 1 });
  });

  test("deleted, row and files are gone; the sweeper takes files without rows when they are old", async () => {
    const id = await one();
    await expectRefusal(deleteCreative(world.brightside, { id }), "not_found");
    await deleteCreative(world.northwind, { id });
    await expectRefusal(getCreative(world.northwind, id), "not_found");
    await expectRefusal(deleteCreative(world.northwind, { id }), "not_found");
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

test("when the storage fails, nothing is kept and nothing left behind", async () => {
  const before = await measureStorage(world.northwind);
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
  await expect(upload(world.northwind, files)).rejects.toMatchObject({ name: "StorageError", code: "ENOSPC" });
  replaceFileStorage(undefined);
  expect(puts).toBe(3);
  expect(await measureStorage(world.northwind)).toEqual(before);
  nothingComing();
});

test("an upload that breaks off keeps nothing; one without files is nothing; of eleven the last is told to follow", async () => {
  const before = await measureStorage(world.northwind);
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
  nothingComing();
  expect(await measureStorage(world.northwind)).toEqual(before);
  expect(await upload(world.northwind, [])).toEqual({ ids: [], errors: [] });
  const eleven = Array.from({ length: 11 }, (_, index) => ({ name: `${index}.png`, bytes: anotherPng() }));
  const { ids, errors } = await upload(world.northwind, eleven);
  expect([ids.length, errors]).toEqual([
    10,
    [{ file: "10.png", message: expect.stringContaining("at most 10 files") }],
  ]);
});

test("pages of the list go through all of them once", async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await listCreatives(world.northwind, { limit: 3, cursor });
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  expect(seen).toEqual([...new Set(seen)].sort().reverse());
  expect(seen.length).toBe((await measureStorage(world.northwind)).files);
});

describe("a campaign's creatives", () => {
  const film = () => insertCreative(db(), world.accountId("northwind"), { type: "video/mp4", previewBytes: null });
  const picture = () => insertCreative(db(), world.accountId("northwind"));

  test("are the actor's own, and the first picture stands for all; without any there are no products", async () => {
    const foreign = await insertCreative(db(), world.accountId("brightside"));
    const nowhere = "01900000-0000-7000-8000-000000000000";
    for (const id of [foreign, nowhere]) {
      expect((await refusalOf(world.aDraft({ creative_ids: [id] }))).fields).toEqual({
        creative_ids: ["Choose creatives from the list"],
      });
    }
    const [first, second] = [await film(), await picture()];
    const id = await world.aDraft({ creative_ids: [first, second], selected_products: [world.product("NW-PK-040")] });
    const { content, creatives: shown } = await getCampaign(world.northwind, id);
    expect(shown.map((creative) => creative.id)).toEqual([first, second]);
    expect(content.creativePreviewUrl).toBe(shown[1]?.path);
    expect(content.productIds).toHaveLength(1);
    await changeCampaign(world.northwind, { id, changes: payload({ creative_ids: [] }) });
    expect((await getCampaign(world.northwind, id)).content).toMatchObject({
      creativeIds: [],
      creativePreviewUrl: null,
      productIds: [],
    });
  });

  test("belong to the version: changed, the publisher decides again and sees which are new and which go", async () => {
    const [first, second] = [await picture(), await picture()];
    const id = await world.aRunningCampaign({ changes: { creative_ids: [first] } });
    await changeCampaign(world.northwind, { id, changes: payload({ creative_ids: [second] }), send: true });
    expect(await world.partOf(world.harbor, id)).toBe("pending active");
    const seen = await getLineItem(world.harbor, id);
    expect(seen.changedFields).toContain("creativeIds");
    expect(seen.creatives.map((creative) => creative.id)).toEqual([second]);
    expect(seen.droppedCreatives.map((creative) => creative.id)).toEqual([first]);
    // Both are shown to somebody now.
    for (const shown of [first, second]) {
      await expectRefusal(deleteCreative(world.northwind, { id: shown }), "invalid_transition", /Ridgeline Packs/);
    }
    await reviewCampaign(world.harbor, { id, action: "approve" });
    await deleteCreative(world.northwind, { id: first });
    expect((await getLineItem(world.harbor, id)).creatives).toHaveLength(1);
  });

  test("deleted, they leave working copies, and another one stands for the rest", async () => {
    const [first, second] = [await picture(), await film()];
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

  test("a publisher that manages a campaign shows its own", async () => {
    const own = await insertCreative(db(), world.accountId("harbor"));
    const theirs = await picture();
    const campaign = (creative: CreativeId) =>
      managedCampaignSchema.parse({
        ...world.complete(["hikers"]),
        advertiser_id: world.accountId("northwind"),
        creative_ids: [creative],
      });
    await expectRefusal(createManagedCampaign(world.harbor, campaign(theirs)), "invalid_input");
    const { id } = await createManagedCampaign(world.harbor, campaign(own));
    expect((await getCampaign(world.northwind, id)).creatives.map((creative) => creative.id)).toEqual([own]);
    await expectRefusal(deleteCreative(world.harbor, { id: own }), "invalid_transition");
    await changeCampaign(world.northwind, { id, changes: payload({ budget: 6_000 }) });
    expect((await getCampaign(world.northwind, id)).creatives).toHaveLength(1);
  });

  test("launched while one of them is deleted, either the launch or the deletion is refused", async () => {
    for (let round = 0; round < 20; round += 1) {
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
  });
});

test.each([
  ["banner.png", "banner.png"],
  ["C:\\Users\\me\\banner.png", "banner.png"],
  ["../../../etc/passwd", "passwd"],
  ["\u202egnp.exe", "gnp.exe"],
  ["a\u0000b\r\nSet-Cookie: x", "abSet-Cookie: x"],
  ["", "Untitled"],
  ["/", "Untitled"],
  ["é".repeat(300), "é".repeat(120)],
  ["<script>.png", "<script>.png"],
  ["logo@2x.png", "logo@2x.png"],
])("a file called %j is shown as %j", (sent, shown) => {
  expect(creativeName(sent)).toBe(shown);
});
