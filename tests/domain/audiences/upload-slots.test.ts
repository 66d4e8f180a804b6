import { expect, test } from "vitest";
import { receiveFiles } from "#app/domain/audiences/files/read-upload.server.ts";
import {
  acquireUploadSlot,
  countUploads,
  tryAcquireUploadSlot,
  type UploadSlotLease,
} from "#app/domain/audiences/files/upload-slots.server.ts";
import { createFilePart, people } from "./an-audience.ts";

const second = 1_000;
const kilobyte = 1_024;

/** Acquires every upload slot for senders that are slower than the import. */
function acquireAllSlots(): UploadSlotLease[] {
  const leases: UploadSlotLease[] = [];
  for (let lease = tryAcquireUploadSlot(); lease; lease = tryAcquireUploadSlot()) {
    lease.reportWait({ milliseconds: 40 * second, bytes: 500 * kilobyte });
    leases.push(lease);
  }
  return leases;
}

test("a slow upload keeps its slot only until another upload waits for one", async () => {
  const leases = acquireAllSlots();
  expect(leases.length).toBeGreaterThan(6);
  for (const lease of leases) lease.reportWait({ milliseconds: 10 * second, bytes: kilobyte });
  const waiting = acquireUploadSlot();
  const [slow, fast, ...others] = leases;
  fast?.reportWait({ milliseconds: second, bytes: 100_000 * kilobyte });
  fast?.reportWait({ milliseconds: second, bytes: kilobyte });
  expect(() => slow?.reportWait({ milliseconds: second, bytes: kilobyte })).toThrow(
    /too slow.*Upload the file again\.$/,
  );
  slow?.release();
  const acquired = await waiting;
  expect(tryAcquireUploadSlot()).toBeUndefined();
  for (const lease of [acquired, fast, ...others]) lease?.release();
  tryAcquireUploadSlot()?.release();
});

test("an upload may be slow during its grace period, and times out after it when another waits", async () => {
  const leases = acquireAllSlots();
  leases.pop()?.release();
  const late = tryAcquireUploadSlot();
  const waiting = acquireUploadSlot();
  late?.reportWait({ milliseconds: 20 * second, bytes: kilobyte });
  expect(() => late?.reportWait({ milliseconds: 20 * second, bytes: kilobyte })).toThrow(/too slow and timed out/);
  late?.release();
  for (const lease of [await waiting, ...leases]) lease.release();
});

test("an upload whose thread cannot be started leaves its slot to others", async () => {
  async function* files() {
    yield createFilePart(people(3));
  }
  // What cannot be sent to a thread fails when it is started, as a thread does for which the system has no room.
  const mapping = { columns: {}, phoneCountry: null, uncloneable: () => undefined };
  const options = { country: undefined, includesOptOuts: false, includesAddresses: false, mapping };
  await expect(receiveFiles({ ...options, files: files() })).rejects.toMatchObject({ name: "DataCloneError" });
  expect(countUploads()).toEqual({ running: 0, waiting: 0 });
});
