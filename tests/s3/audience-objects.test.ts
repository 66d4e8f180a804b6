import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { eraseIdentifiers } from "#app/domain/audiences/erase-identifiers.server.ts";
import { MemberLookUp } from "#app/domain/audiences/members/member-look-up.server.ts";
import { sha256 } from "#app/domain/audiences/members/member-set.server.ts";
import { updateMembers } from "#app/domain/audiences/update-members.server.ts";
import { openS3Storage } from "#app/storage/s3-storage.server.ts";
import { replaceAudienceStore, replaceFileStorage } from "#app/storage/storage.server.ts";
import {
  createEmptyAudience,
  loadStoredHashes,
  openAudience,
  people,
  upload,
} from "#tests/domain/audiences/an-audience.ts";
import { listObjectRows } from "#tests/domain/audiences/audience-objects.ts";
import { useDatabase } from "#tests/support/database/database.ts";
import { createWorld, type World } from "#tests/support/world.ts";
import { createTestBucket, type TestBucket } from "./test-buckets.ts";

const db = useDatabase();
let world: World;
let bucket: TestBucket;

beforeAll(async () => {
  world = await createWorld(db());
  bucket = await createTestBucket({ keepsVersions: true });
  return () => bucket.remove();
});
beforeEach(() => {
  replaceAudienceStore("objects");
  replaceFileStorage(openS3Storage(bucket.settings));
});
afterEach(() => {
  replaceAudienceStore(undefined);
  replaceFileStorage(undefined);
});

test("an audience is written, looked up, changed and replaced, and an erasure leaves no version of an object that had the person", async () => {
  const by = world.harbor;
  const audienceId = await createEmptyAudience(by);
  await upload(by, { audienceId, files: [people(30_000)] });
  const lookUp = new MemberLookUp(db(), await openAudience(by, audienceId));
  await lookUp.load([sha256("person29999@example.com"), sha256("nobody@example.com")]);
  expect(lookUp.find(sha256("person29999@example.com"))).toBeDefined();
  expect(lookUp.find(sha256("nobody@example.com"))).toBeUndefined();

  await updateMembers(by, {
    audienceId,
    add: [{ email: "late@example.com" }],
    remove: [{ email: "person1@example.com" }],
  });
  expect(await loadStoredHashes(by, audienceId)).toHaveLength(30_000);
  expect(await eraseIdentifiers(by, { identifiers: ["late@example.com"] })).toMatchObject({ erased: 1 });
  await upload(by, { audienceId, mode: "replace", files: [people(2_000)] });
  expect(await eraseIdentifiers(by, { identifiers: ["person7@example.com"] })).toMatchObject({ erased: 1 });

  expect(await loadStoredHashes(by, audienceId)).toHaveLength(1_999);
  const named = (await listObjectRows(db(), audienceId)).map((key) => `files/${key}`);
  expect((await bucket.versions()).map(({ Key }) => Key).sort()).toEqual(named);
});
